import { beforeAll, describe, expect, it } from "vitest";
import type { Table } from "../../lib/table.svelte.ts";
import { learn, speak } from "../../lib/words.svelte.ts";
import { beats, notice } from "./moments.ts";

const cell = (pebble: number | null) => ({ top: null, covered: [], pebble });
const table = (viewer: number | null) =>
  ({
    viewer,
    now: { status: "playing" },
    view: {
      columns: [{ creature: "hoot", champion: [1], totals: [60, 5], cells: [cell(0), cell(null), cell(0)] }],
    },
  }) as unknown as Table;

describe("the great moments", () => {
  beforeAll(async () => {
    await speak("en");
    await learn("equinox");
  });

  it("gives an elimination about two and a half seconds, and nothing else any", () => {
    const total = beats({ event: "eliminated", creature: "hoot" }).reduce((sum, beat) => sum + beat, 0);
    expect(total).toBe(2500);
    expect(beats({ event: "played" })).toEqual([]);
  });

  it("tells those who lose bets what they lose, and only them", () => {
    const event = { event: "eliminated", creature: "hoot", round: 3 };
    expect(notice(event, table(0))).toMatchObject({
      title: "Hoot goes home",
      lines: ["Your bets on it are lost: 60 points."],
    });
    expect(notice(event, table(2))).toBeNull();
    expect(notice(event, table(null))).toBeNull();
  });

  it("tells those whom a power is used on", () => {
    const event = {
      event: "set_aside",
      seat: 1,
      target: 0,
      count: 4,
      line: "Ben sets 4 of your cards aside",
    };
    expect(notice(event, table(0))).toMatchObject({ seat: 1, title: "Stag", picture: "stag" });
    expect(notice(event, table(1))).toBeNull();
  });
});
