// What each event of Equinox moves over the table.
import type { Flight, Thing } from "../../lib/stage.svelte.ts";
import type { Told } from "../../lib/table.svelte.ts";
import { scoringFlights } from "./scoring.ts";
import { kindOf, type View } from "./view.ts";

/** Milliseconds until the pebble of a revealed bet leaves. */
const SEEN = 1500;
const seatSpot = (seat: number): string => `seat-${seat}`;
const pebbleSpot = (seat: number): string => `pebbles-${seat}|seat-${seat}`;

export function flights(event: Told, viewer: number | null, _view?: unknown, final?: unknown): Flight[] {
  const seat = event["seat"] as number;
  const card = event["card"] as string | undefined;
  const creature = event["creature"] as string | undefined;
  const cell = `cell-${event["row"]}-${creature ?? (card && kindOf(card))}`;
  const hand = (of: number, which?: string): string =>
    of === viewer && which ? `hand-${which}|hand|seat-${of}` : seatSpot(of);
  const face: Partial<Thing> = card === undefined ? {} : { card };
  const fly = (from: string, to: string, which = face): Flight => ({
    from,
    to,
    thing: { ...which, kind: "card" },
  });
  const roll = (from: string, to: string): Flight => ({ from, to, thing: { kind: "pebble", seat } });

  switch (event.event) {
    case "played":
    case "chameleon_played":
      return [fly(hand(seat, card), cell)];
    case "tree_played":
    case "discarded":
      return [fly(hand(seat, card), "discard")];
    case "discarded_unseen":
      return [fly(hand(seat, card), "discard", {})];
    case "predicted":
    case "placed_pebble":
      return [roll(pebbleSpot(seat), `pebble-${event["row"]}-${creature}`)];
    case "predicted_secretly":
      return [fly(hand(seat, card), `secret-${seat}|seat-${seat}`, {})];
    case "revealed":
    case "exposed":
      // the card turns over in the middle of the table; when it has been seen, its pebble goes to the Champion
      return [
        { ...fly(`secret-${seat}|seat-${seat}`, "reveal", { ...face, turns: true }), at: 0 },
        { ...roll(`secret-${seat}|seat-${seat}`, `champion-${creature}`), at: SEEN },
      ];
    case "secret_at_end":
      return [
        fly(`secret-${seat}|seat-${seat}`, "discard", { ...face, turns: seat !== viewer }),
        roll(`secret-${seat}|seat-${seat}`, `champion-${creature}`),
      ];
    case "took_back_pebble":
      return [roll(`pebble-${event["row"]}-${creature}`, pebbleSpot(seat))];
    case "took_back_champion":
      return [roll(`champion-${creature}`, pebbleSpot(seat))];
    case "took_back_secret":
      return [
        fly(`secret-${seat}|seat-${seat}`, "discard"),
        roll(`secret-${seat}|seat-${seat}`, pebbleSpot(seat)),
      ];
    case "took_card":
      return [fly(cell, hand(seat, card))];
    case "removed_card":
      return [fly(cell, "discard")];
    case "swapped":
      return [
        fly(cell, `cell-${event["other_row"]}-${creature}`),
        fly(`cell-${event["other_row"]}-${creature}`, cell, { card: event["other"] as string }),
      ];
    case "gave":
    case "kept_card": {
      const target = event["target"] as number;
      const [giver, taker] = event.event === "gave" ? [seat, target] : [target, seat];
      return [fly(hand(giver, card), hand(taker, card))];
    }
    case "drew":
    case "got_back": {
      const from = event.event === "drew" ? "deck" : `seat-${seat}`;
      const cards = event["cards"] as string[] | undefined;
      if (cards) return cards.map((drawn) => fly(from, hand(seat, drawn), { card: drawn }));
      return Array.from({ length: Math.min(3, event["count"] as number) }, () =>
        fly(from, seatSpot(seat), {}),
      );
    }
    case "set_aside":
      return Array.from({ length: Math.min(4, event["count"] as number) }, () =>
        fly(seatSpot(event["target"] as number), `aside-${event["target"]}|seat-${event["target"]}`, {}),
      );
    case "scored": {
      const outcome = (final as View | undefined)?.outcome;
      return outcome ? scoringFlights(outcome, seat) : [];
    }
    default:
      return [];
  }
}

export function cardsOf(event: Told): string[] {
  const found = [event["card"], event["other"], ...((event["cards"] as string[] | undefined) ?? [])];
  return found.filter((card): card is string => typeof card === "string");
}
