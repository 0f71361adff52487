import { beforeEach, expect, it } from "vitest";
import { byLevel, favourites, noteResult, played } from "./statistics.ts";
import type { TableNow } from "./wire.ts";

const LEVELS = ["thumbling", "gretel", "puss", "queen"];

function finished(table: string, scores: number[], winners: number[], levels: string[]): TableNow {
  const seats = scores.map((_, seat) => ({
    seat,
    kind: levels[seat] ? "bot" : "person",
    level: levels[seat] ?? "",
  }));
  const outcome = { scores, winners, reason: "", reckoning: [] };
  return { table, game: "a", seats, outcome } as unknown as TableNow;
}

beforeEach(() => localStorage.clear());

it("notes a game once, with the strongest bot and the place", () => {
  const now = finished("x", [12, 20, 7], [1], ["", "thumbling", "puss"]);
  noteResult(now, 0, ["hoot"], LEVELS);
  noteResult(now, 0, ["hoot"], LEVELS);
  expect(played()).toHaveLength(1);
  expect(played()[0]).toMatchObject({ level: "puss", place: 2, score: 12, seats: 3 });
});

it("puts a tie that was lost behind its winner", () => {
  noteResult(finished("x", [20, 20], [1], ["", "gretel"]), 0, [], LEVELS);
  expect(played()[0]!.place).toBe(2);
});

it("notes nothing before the end", () => {
  noteResult({ ...finished("x", [1], [0], []), outcome: null }, 0, [], LEVELS);
  expect(played()).toEqual([]);
});

it("sums up by level, people last, and finds the favourites", () => {
  noteResult(finished("x", [10, 3], [0], ["", "gretel"]), 0, ["hoot", "stag"], LEVELS);
  noteResult(finished("y", [4, 9], [1], ["", "gretel"]), 0, ["stag"], LEVELS);
  noteResult(finished("z", [4, 9], [1], []), 1, ["ursus"], LEVELS);
  expect(byLevel(played(), LEVELS)).toEqual([
    { level: "gretel", games: 2, won: 1, mean: 7 },
    { level: "", games: 1, won: 1, mean: 9 },
  ]);
  expect(favourites(played(), 2)).toEqual(["stag", "hoot"]);
});

it("survives a damaged store", () => {
  localStorage.setItem("fabletop.statistics", "{");
  expect(played()).toEqual([]);
});
