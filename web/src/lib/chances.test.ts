import { describe, expect, it } from "vitest";
import { rounds, toldAt, turningPoints, type ChancesPoint } from "./chances.ts";

const points: ChancesPoint[] = [
  { at: 0, told: 2, chances: [0.5, 0.5] },
  { at: 3, told: 4, chances: [0.55, 0.45] },
  { at: 6, told: 7, chances: [0.2, 0.8] },
  { at: 9, told: 9, chances: [0.35, 0.65] },
  { at: 12, told: 9, chances: [0.05, 0.95] },
  { at: 15, told: 10, chances: [1, 0] },
];
const story = [
  { event: "round_began", line: "Round 1" },
  { event: "turn_began", line: "Ana’s turn" },
  { event: "played", line: "Ana plays Hoot 7" },
  { event: "drew", line: "Ana draws a card" },
  { event: "played", line: "Ben plays Stag 1" },
  { event: "eliminated", line: "Hoot is eliminated" },
  { event: "round_began", line: "Round 2" },
  { event: "played", line: "Ana plays Stag 9" },
  { event: "drew", line: "Ana draws a card" },
  { event: "won", line: "Ben wins" },
];
const headings = { round_began: 1, turn_began: 2 };

describe("the chances in a game", () => {
  it("turn where they change most, at two points at most, in the order of the game, and not at its end", () => {
    expect(turningPoints(points).map(({ point, seat }) => [point, seat])).toEqual([
      [2, 0],
      [4, 0],
    ]);
    expect(turningPoints(points.slice(0, 3)), "a change that is small, and the end").toEqual([]);
  });

  it("are described by what is loud, else by what was done first", () => {
    expect(toldAt(points, 2, story, headings, ["eliminated"])).toBe("Hoot is eliminated");
    expect(toldAt(points, 1, story, headings, ["eliminated"])).toBe("Ana plays Hoot 7");
  });

  it("are marked where a round begins", () => {
    expect(rounds(points, story, headings)).toEqual([
      { point: 0, line: "Round 1" },
      { point: 2, line: "Round 2" },
    ]);
  });
});
