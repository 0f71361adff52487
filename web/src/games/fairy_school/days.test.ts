import { describe, expect, it } from "vitest";
import type { Told } from "../../lib/table.svelte.ts";
import { daysOf, jury, lovedCards, type Entry } from "./days.ts";

const turn = (trimester: number, turn: number): Told => ({ event: "turn_began", trimester, turn });
const used = (seat: number, card: string, owner = 0): Told => ({ event: "activated", seat, owner, card });
const realised = (card: string, seat = 0): Told => ({ event: "realised", seat, card });
const entry = (seat: number, parts: Partial<Entry>): Entry => ({
  ...{ seat, kindness: 0, projects: 0, steps: 0, creatures: 0, elements: 0, total: 0, report: null },
  ...parts,
});

describe("days to remember", () => {
  it("tells what was greatest of each kind, in the order of the year", () => {
    const story = [
      turn(1, 1),
      realised("88"),
      turn(1, 2),
      used(1, "62"),
      used(2, "62"),
      turn(2, 1),
      realised("96"),
      realised("100"),
      turn(0, 1),
      { event: "final_completed", seat: 0, final: "F1" },
    ];
    expect(daysOf(story, 0).map(({ what, trimester, turn }) => [what, trimester, turn])).toEqual([
      ["first", 1, 1],
      ["loved", 1, 2],
      ["projects", 2, 1],
      ["finished", 0, 1],
    ]);
    expect(daysOf(story, 0)[1]).toMatchObject({ cards: ["62"], seats: [1, 2] });
  });

  it("tells nothing of others, and one thing of a day", () => {
    const story = [turn(1, 1), realised("88", 1), realised("96", 1), used(0, "62", 1), used(2, "62", 1)];
    expect(daysOf(story, 0)).toEqual([]);
    expect(daysOf(story, 1).map(({ what }) => what)).toEqual(["projects"]);
  });

  it("knows when a pair is complete", () => {
    const studied = (creature: string): Told => ({ event: "studied", seat: 0, creature });
    const days = daysOf([turn(1, 1), studied("siren"), turn(1, 2), studied("sea_serpent")], 0);
    expect(days).toMatchObject([{ what: "pair", turn: 2, creature: "sea_serpent" }]);
  });
});

describe("the jury", () => {
  const gave = [0, 3];
  it("praises what nobody did more of", () => {
    const others = entry(1, { kindness: 9, creatures: 4 });
    expect(jury(others, [others, entry(0, {})], false, gave)).toBe("kindness");
    const me = entry(0, { kindness: 3, creatures: 8 });
    expect(jury(me, [me, others], false, gave)).toBe("creatures");
    expect(jury(me, [me, others], true, gave)).toBe("steps");
    const last = entry(0, {});
    expect(jury(last, [last, others], false, gave)).toBe("rest");
  });

  it("counts how often the others used a card, not the fairy herself", () => {
    expect(lovedCards([turn(1, 1), used(1, "7"), used(2, "7"), used(0, "8")], 0)).toEqual([["7", 2]]);
  });
});
