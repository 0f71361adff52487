import { expect, test } from "vitest";
import type { Told } from "../../lib/table.svelte.ts";
import { lowestFirst, scoringFlights, totalOf } from "./scoring.ts";
import type { Outcome } from "./view.ts";

// no rule of the game gives these numbers: what is shown is what the server counted
const OUTCOME: Outcome = {
  scores: [0, 60, 7],
  winners: [1],
  reason: "fifth_elimination",
  reckoning: [
    { seat: 0, pebbles: [], by_row: [0, 0, 0, 0, 0, 0] },
    {
      seat: 1,
      pebbles: [
        { creature: "hoot", row: 0, value: 40, total: 60 },
        { creature: "hoot", row: 2, value: 3.5, total: 3.5 },
        { creature: "ursus", row: 1, value: 11, total: 14.5 },
      ],
      by_row: [1, 1, 1, 0, 0, 0],
    },
    {
      seat: 2,
      pebbles: [{ creature: "hoot", row: 0, value: 7, total: 7 }],
      by_row: [1, 0, 0, 0, 0, 0],
    },
  ],
};

const scored = (seat: number, points: number): Told => ({ event: "scored", seat, points });

test("players are counted lowest first, and who wins a tie comes last", () => {
  const told: Told[] = [
    { event: "secret_at_end", seat: 1 },
    scored(0, 7.5),
    scored(1, 4.5),
    scored(2, 7.5),
    { event: "won", winners: [0] },
  ];
  expect(lowestFirst(told).map(({ event, seat }) => seat ?? event)).toEqual([1, 1, 2, 0, "won"]);
  expect(lowestFirst(told.slice(0, 1))).toEqual(told.slice(0, 1));
});

test("the pebbles that the server counts fly one by one in its order, with its numbers", () => {
  const flights = scoringFlights(OUTCOME, 1);
  expect(flights.map(({ from }) => from)).toEqual(["pebble-2-hoot", "pebble-1-ursus", "champion-hoot"]);
  expect(flights.map(({ thing }) => thing.value)).toEqual([3.5, 11, 40]);
  expect(flights[1]!.at).toBeGreaterThan(flights[0]!.at!);
  expect(scoringFlights(OUTCOME, 0)).toEqual([]);
  expect(scoringFlights(OUTCOME, 2).map(({ from }) => from)).toEqual(["champion-hoot"]);
});

test("a total is the server's after the last pebble that landed, and stays when it is told", () => {
  const flights = scoringFlights(OUTCOME, 1);
  expect(totalOf([], [], undefined, 1)).toBeNull();
  expect(totalOf([], [], scored(1, 60), 1)).toBe(0);
  expect(totalOf([], flights.slice(0, 1), scored(1, 60), 1)).toBe(3.5);
  expect(totalOf([], flights, scored(1, 60), 1)).toBe(60);
  expect(totalOf([scored(1, 60)], [], undefined, 1)).toBe(60);
  expect(totalOf([scored(1, 60)], [], undefined, 0)).toBe(0);
});
