// Whole games, staged: after the last event of an update the page shows what the server's view says, for everything
// that events change. The games come from tests/web/test_staging.py.
import { readFileSync } from "node:fs";
import { env } from "node:process";
import { describe, expect, it } from "vitest";
import { AT_END as equinox } from "../games/equinox/landing.ts";
import { partsOf } from "../games/index.ts";
import type { Told } from "./table.svelte.ts";

type View = Record<string, unknown>;
interface Game {
  game: string;
  viewer: number | null;
  first: View;
  steps: { events: Told[]; view: View }[];
}

const games = env["STAGED_GAMES"] ? (JSON.parse(readFileSync(env["STAGED_GAMES"], "utf-8")) as Game[]) : [];
const AT_END: Record<string, readonly string[]> = { equinox };

/** What events change of a view; order does not matter where the page sorts. */
function changed(value: unknown, atEnd: readonly string[], key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => changed(item, atEnd));
    return ["hand", "aside", "unseen", "discarded"].includes(key) ? items.sort() : items;
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !atEnd.includes(name))
      .map(([name, inner]) => [name, changed(inner, atEnd, name)]),
  );
}

describe.skipIf(!games.length)("staged games", { timeout: 60_000 }, () => {
  it.each(games.map((game) => [`${game.game} as ${game.viewer}`, game] as const))("%s", async (_, game) => {
    const parts = (await partsOf(game.game))!;
    let shown = game.first;
    for (const [number, { events, view }] of game.steps.entries()) {
      events.forEach((event, place) => {
        const draft = structuredClone(shown);
        parts.land!(draft, event, view, events.slice(place + 1));
        shown = draft;
      });
      expect(changed(shown, AT_END[game.game]!), `step ${number}: ${JSON.stringify(events)}`).toEqual(
        changed(view, AT_END[game.game]!),
      );
      shown = view;
    }
  });
});
