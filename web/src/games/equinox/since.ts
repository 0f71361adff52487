// What the others did since the viewer's last turn: rings on the cells they touched, and a strip of small signs.
import type { Told } from "../../lib/table.svelte.ts";
import { isTree, kindOf, strengthOf } from "./view.ts";

export interface Deed {
  /** Its place in the story. */
  place: number;
  event: Told;
  /** Who did it; nobody, where a creature is eliminated. */
  seat: number | null;
  /** The creature or the Tree that it is about. */
  kind: string;
  /** What stands on its sign beside the emblem; `power` and `out` are drawn. */
  sign: string;
  /** The spots that it touched, as the grid names them: `2-hoot`, `champion-hoot`. */
  touched: string[];
}

/** Most important first: where there is no room for all, the others are left out. */
const RANK = ["eliminated", "revealed", "exposed", "power_used", "predicted_secretly"];

/** The events of the others since the viewer's last turn was over. */
export function sinceLastTurn(
  story: readonly Told[],
  viewer: number | null,
  worth: readonly number[],
): Deed[] {
  if (viewer === null) return [];
  const turns = story.flatMap((event, place) => (event.event === "turn_began" ? [place] : []));
  const isMine = (place: number): boolean => story[place]!["seat"] === viewer;
  const now = turns.at(-1);
  const end = now !== undefined && isMine(now) ? now : story.length;
  const before = turns.filter((place) => place < end);
  const start = before[before.findLastIndex(isMine) + 1] ?? end;
  return story.slice(start, end).flatMap((event, i) => deedOf(event, start + i, worth) ?? []);
}

/** Has the viewer laid a card or a pebble in this turn? Then the rings have been seen. */
export function hasMoved(story: readonly Told[], viewer: number | null): boolean {
  const now = story.findLastIndex((event) => event.event === "turn_began");
  return story
    .slice(Math.max(0, now))
    .some((event) => event["seat"] === viewer && (deedOf(event, 0)?.touched.length ?? 0) > 0);
}

/** As many deeds as there is room for, in the order in which they happened. */
export function foremost(deeds: readonly Deed[], most: number): Deed[] {
  const rank = ({ event }: Deed): number => {
    const found = RANK.indexOf(event.event);
    return found < 0 ? RANK.length : found;
  };
  const kept = [...deeds].sort((a, b) => rank(a) - rank(b) || b.place - a.place).slice(0, most);
  return kept.sort((a, b) => a.place - b.place);
}

/** `worth`: what a pebble on a Champion card and in each row is worth, for its sign. */
function deedOf(event: Told, place: number, worth: readonly number[] = []): Deed | null {
  const card = event["card"] as string | undefined;
  const creature = (event["creature"] as string | undefined) ?? (card && !isTree(card) ? kindOf(card) : "");
  const row = event["row"] as number;
  const cell = `${row}-${creature}`;
  const deed = (kind: string, sign: string, touched: string[] = []): Deed => ({
    place,
    event,
    seat: (event["seat"] as number | undefined) ?? null,
    kind,
    sign,
    touched,
  });
  switch (event.event) {
    case "played":
    case "chameleon_played":
      return deed(kindOf(card!), strengthOf(card!), [cell]);
    case "tree_played":
      return deed(kindOf(card!), "");
    case "predicted":
    case "placed_pebble":
      return deed(creature, `+${worth[row]}`, [cell]);
    case "predicted_secretly":
      return deed("", "?");
    case "revealed":
    case "exposed":
      return deed(creature, `+${worth[0]}`, [`champion-${creature}`]);
    case "power_used":
      return deed(event["power"] as string, "power");
    case "took_back_pebble":
    case "removed_card":
    case "took_card":
      return deed(creature, "−", [cell]);
    case "took_back_champion":
      return deed(creature, "−", [`champion-${creature}`]);
    case "swapped":
      return deed(creature, "swap", [cell, `${event["other_row"] as number}-${creature}`]);
    case "eliminated":
      return deed(creature, "out");
    default:
      return null;
  }
}
