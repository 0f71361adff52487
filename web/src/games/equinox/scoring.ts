// The final scoring as a scene: the pebbles that count fly to their players' totals, the lowest player first and the
// winner last; then the legends step into the light.
import type { Flight } from "../../lib/stage.svelte.ts";
import type { Told } from "../../lib/table.svelte.ts";
import type { Outcome } from "./view.ts";

/** Milliseconds from one pebble to the next; the first waits until the light has gone down on those who went home. */
const NEXT_PEBBLE = 320;
const DUSK = 500;
/** A total stands for a moment before the next player's pebbles move. */
export const COUNTED = [450];
/** The winner stands for a moment, then the legends step into the light. */
export const LEGENDS = 1;
export const VICTORY = [500, 2600];

/** The players are counted lowest first, those who win last, whatever the order in which the server tells of them. */
export function lowestFirst(events: Told[]): Told[] {
  const first = events.findIndex(({ event }) => event === "scored");
  if (first < 0) return events;
  const winners = (events.find(({ event }) => event === "won")?.["winners"] ?? []) as number[];
  const wins = (event: Told): number => Number(winners.includes(event["seat"] as number));
  const scored = events
    .filter(({ event }) => event === "scored")
    .sort((a, b) => wins(a) - wins(b) || (a["points"] as number) - (b["points"] as number));
  const rest = events.filter(({ event }) => event !== "scored");
  return [...rest.slice(0, first), ...scored, ...rest.slice(first)];
}

/** The pebbles of a player on creatures still in play, each with its worth, to the player's total (E-8.1). */
export function scoringFlights({ reckoning }: Outcome, seat: number): Flight[] {
  const pebbles = [...reckoning[seat]!.pebbles].sort((a, b) => a.total - b.total);
  return pebbles.map(({ creature, row, value, total }, i) => ({
    from: row ? `pebble-${row}-${creature}` : `champion-${creature}`,
    to: `total-${seat}`,
    thing: { kind: "pebble", seat, value, total },
    at: DUSK + i * NEXT_PEBBLE,
  }));
}

/** What a player has so far: with the last pebble that has landed, or all once it is told; nothing before the scoring. */
export function totalOf(
  story: readonly Told[],
  arrived: readonly Flight[],
  now: Told | undefined,
  seat: number,
) {
  const told = story.findLast((event) => event.event === "scored" && event["seat"] === seat);
  if (told) return told["points"] as number;
  const counting = now?.event === "scored" || story.some(({ event }) => event === "scored");
  if (!counting) return null;
  return arrived.findLast(({ thing }) => thing.seat === seat)?.thing.total ?? 0;
}
