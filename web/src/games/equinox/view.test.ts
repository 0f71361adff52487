import { beforeAll, describe, expect, it } from "vitest";
import { learn, speak } from "../../lib/words.svelte.ts";
import { aboutCell, aboutColumn, rowName } from "./speech.ts";
import { orderOf, sortedHand, standings, strengthOf, type Column, type View } from "./view.ts";

const empty = { top: null, covered: [], pebble: null };
const column = (pebbles: (number | null)[], champion: number[], totals: (number | null)[]): Column => ({
  creature: "hoot",
  in_play: true,
  eliminated: null,
  controller: null,
  champion,
  totals,
  cells: pebbles.map((pebble) => ({ ...empty, pebble })),
});

describe("what the client reads out of a view", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("equinox");
  });

  it("lists the pebbles of a column by seat with the server's totals, most first (E-4.1)", () => {
    expect(standings(column([0, 1, null, null, 1], [1], [70, 12]))).toEqual([
      { seat: 0, rows: [1], total: 70 },
      { seat: 1, rows: [0, 2, 5], total: 12 },
    ]);
    expect(standings(column([null, null, null, null, null], [], []))).toEqual([]);
  });

  it("shows a seat whose pebbles are worth nothing (E-4.3)", () => {
    expect(standings(column([null, null, null, null, 2], [], [null, null, 0]))).toEqual([
      { seat: 2, rows: [5], total: 0 },
    ]);
  });

  it("says what the server says a pebble is worth, whatever the rules say (E-4.1)", () => {
    const hoot = column([0, null, null, null, null], [], [70]);
    const view = { worth: [9, 70, 6, 5, 4, 3], round: 1, columns: [hoot] } as unknown as View;
    expect(rowName(1, view)).toBe("the 70 row");
    expect(aboutColumn(hoot, view, ["Ana"]).lines.join(" ")).toContain("Ana 70");
    expect(aboutCell(hoot, 1, view, ["Ana"]).lines.join(" ")).toContain("70");
    expect(aboutCell(hoot, 2, view, ["Ana"]).lines.join(" ")).toContain("6");
  });

  it("orders the row in play by the strengths that the server gives (E-6.5)", () => {
    const card = (creature: string, top: string, strength: number, in_play = true) =>
      ({ creature, in_play, cells: [{ top, strength, covered: [], pebble: null }] }) as unknown as Column;
    const columns = [
      card("hoot", "hoot-1", 8),
      card("ursus", "ursus-9", 2),
      card("stag", "stag-3", 1, false),
      { ...card("fungy", "", 0), cells: [empty] },
    ];
    expect(orderOf({ round: 1, columns } as unknown as View)).toEqual([
      { creature: "ursus", card: "ursus-9", strength: 2 },
      { creature: "hoot", card: "hoot-1", strength: 8 },
    ]);
  });

  it("shows the half on the face of Ursus, and of nobody else (E-7.13)", () => {
    expect(strengthOf("ursus-4")).toBe("4½");
    expect(strengthOf("hoot-4")).toBe("4");
    expect(strengthOf("chameleon-10")).toBe("10");
    expect(strengthOf("dryad")).toBe("");
  });

  it("sorts the hand by column and strength, Chameleons and Trees last", () => {
    const view = { creatures: ["squeak", "hoot"] } as View;
    const hand = ["dryad", "hoot-10", "chameleon-2", "hoot-9", "squeak-10", "ancestor"];
    expect(sortedHand(view, hand)).toEqual([
      "squeak-10",
      "hoot-9",
      "hoot-10",
      "chameleon-2",
      "dryad",
      "ancestor",
    ]);
  });
});
