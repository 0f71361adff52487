import { expect, test } from "vitest";
import type { Told } from "../../lib/table.svelte.ts";
import { foremost, hasMoved, sinceLastTurn } from "./since.ts";

const turn = (seat: number): Told => ({ event: "turn_began", seat });
const played = (seat: number, card: string, row = 1): Told => ({ event: "played", seat, card, row });

const WORTH = [50, 40, 30, 20, 10, 0];
const STORY: Told[] = [
  turn(0),
  played(0, "hoot-3"),
  turn(1),
  { event: "predicted", seat: 1, creature: "stag", row: 1 },
  played(1, "stag-7"),
  turn(2),
  played(2, "ursus-6"),
  { event: "drew", seat: 2, count: 1 },
  { event: "eliminated", creature: "hoot", round: 1 },
];

test("only what the others did since my turn", () => {
  const deeds = sinceLastTurn([...STORY, turn(0)], 0, WORTH);
  expect(deeds.map(({ place }) => place)).toEqual([3, 4, 6, 8]);
  expect(deeds.map(({ sign }) => sign)).toEqual(["+40", "7", "6½", "out"]);
  expect(deeds[1]!.touched).toEqual(["1-stag"]);
  expect(deeds[3]!.seat).toBeNull();
});

test("it stays while I play, and starts again when my turn is over", () => {
  const mine = [...STORY, turn(0), played(0, "stag-2", 2)];
  expect(sinceLastTurn(mine, 0, WORTH)).toHaveLength(4);
  expect(hasMoved(mine, 0)).toBe(true);
  expect(hasMoved([...STORY, turn(0)], 0)).toBe(false);
  expect(sinceLastTurn([...mine, turn(1)], 0, WORTH)).toEqual([]);
});

test("before my first turn everything is new, and a spectator has no turn", () => {
  expect(sinceLastTurn(STORY.slice(0, 5), 2, WORTH)).toHaveLength(3);
  expect(sinceLastTurn(STORY, null, WORTH)).toEqual([]);
});

test("what is left out is the least important, and the order stays", () => {
  const deeds = sinceLastTurn([...STORY, turn(0)], 0, WORTH);
  expect(foremost(deeds, 2).map(({ event }) => event.event)).toEqual(["played", "eliminated"]);
});
