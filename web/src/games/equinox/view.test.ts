import { describe, expect, it } from "vitest";
import { sortedHand, standings, strengthOf, type Column, type View } from "./view.ts";

const empty = { top: null, covered: [], pebble: null };
const column = (pebbles: (number | null)[], champion: number[] = []): Column => ({
  creature: "hoot",
  in_play: true,
  eliminated: null,
  controller: null,
  champion,
  cells: pebbles.map((pebble) => ({ ...empty, pebble })),
});

describe("what the client reads out of a view", () => {
  it("adds up the pebbles of a column by seat, Champion card first (E-4.1)", () => {
    expect(standings(column([0, 1, null, null, 1], [1]))).toEqual([
      { seat: 1, rows: [0, 2, 5], total: 8 },
      { seat: 0, rows: [1], total: 4 },
    ]);
  });

  it("counts a pebble in row 5 although it is worth nothing (E-4.3)", () => {
    expect(standings(column([null, null, null, null, 2]))).toEqual([{ seat: 2, rows: [5], total: 0 }]);
  });

  it("shows the half point of Ursus, and of nobody else (E-7.13)", () => {
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
