import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cardsOf, flights } from "./flights.ts";

describe("what events move", () => {
  it("moves a card from the own hand to the cell of its creature", () => {
    expect(flights({ event: "played", seat: 0, card: "hoot-7", row: 2 }, 0)).toEqual([
      { from: "hand-hoot-7|hand|seat-0", to: "cell-2-hoot", thing: { kind: "card", card: "hoot-7" } },
    ]);
  });

  it("moves a Chameleon to the creature it stands in for", () => {
    const [flight] = flights(
      { event: "chameleon_played", seat: 1, card: "chameleon-3", creature: "stag", row: 1 },
      0,
    );
    expect(flight).toEqual({
      from: "seat-1",
      to: "cell-1-stag",
      thing: { kind: "card", card: "chameleon-3" },
    });
  });

  it("shows only backs of what is hidden", () => {
    for (const event of [
      { event: "drew", seat: 1, count: 8 },
      { event: "discarded_unseen", seat: 1 },
      { event: "predicted_secretly", seat: 1 },
      { event: "gave", seat: 1, target: 2, creature: "hoot" },
      { event: "set_aside", seat: 0, target: 1, count: 3 },
    ]) {
      const found = flights(event, 0);
      expect(found.length).toBeGreaterThan(0);
      expect(found.every((flight) => flight.thing.card === undefined)).toBe(true);
    }
  });

  it("does not show the card of an own discard that nobody sees", () => {
    expect(flights({ event: "discarded_unseen", seat: 0, card: "hoot-1" }, 0)[0]!.thing.card).toBeUndefined();
  });

  it("knows every event of the reference, or lets it be", () => {
    const page = readFileSync("../docs/events.md", "utf-8");
    const section = page.split(/^## /m).find((part) => part.startsWith("Equinox"))!;
    const known = [...section.matchAll(/^\| `?(\w+)`? \|/gm)].map((found) => found[1]!);
    expect(known).toContain("swapped");
    for (const event of known)
      expect(Array.isArray(flights({ event, seat: 0, count: 1, target: 1 }, 0))).toBe(true);
  });

  it("finds the cards of a line", () => {
    expect(cardsOf({ event: "swapped", card: "hoot-1", other: "hoot-2" })).toEqual(["hoot-1", "hoot-2"]);
    expect(cardsOf({ event: "turn_began", seat: 0 })).toEqual([]);
  });
});
