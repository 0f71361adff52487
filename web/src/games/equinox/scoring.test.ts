import { expect, test } from "vitest";
import type { Told } from "../../lib/table.svelte.ts";
import { lowestFirst, scoringFlights, totalOf } from "./scoring.ts";
import type { Column, View } from "./view.ts";

const column = (creature: string, pebbles: (number | null)[], champion: number[] = [], in_play = true) =>
  ({
    creature,
    champion,
    in_play,
    cells: pebbles.map((pebble) => ({ top: null, covered: [], pebble })),
  }) as unknown as Column;

const VIEW = {
  columns: [
    column("hoot", [0, 1, null, null, null], [2]),
    column("ursus", [1, null, null, null, 0]),
    column("stag", [2, 2, null, null, null], [], false),
  ],
} as unknown as View;

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

test("pebbles fly one by one, the smallest first, and lost ones stay", () => {
  const flights = scoringFlights(VIEW, 1);
  expect(flights.map(({ from }) => from)).toEqual(["pebble-2-hoot", "pebble-1-ursus"]);
  expect(flights.map(({ thing }) => thing.value)).toEqual([3, 4.5]);
  expect(flights[1]!.at).toBeGreaterThan(flights[0]!.at!);
  expect(scoringFlights(VIEW, 2).map(({ from }) => from)).toEqual(["champion-hoot"]);
});

test("a total grows with what has landed, and stays when it is told", () => {
  const flights = scoringFlights(VIEW, 1);
  expect(totalOf([], [], undefined, 1)).toBeNull();
  expect(totalOf([], [], scored(1, 7.5), 1)).toBe(0);
  expect(totalOf([], flights.slice(0, 1), scored(1, 7.5), 1)).toBe(3);
  expect(totalOf([scored(1, 7.5)], [], undefined, 1)).toBe(7.5);
  expect(totalOf([scored(1, 7.5)], [], undefined, 0)).toBe(0);
});
