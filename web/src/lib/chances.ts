// How the chances of the seats went in a finished game: what a graph of them shows and says.
import type { Told } from "./table.svelte.ts";
import type { ChancesPoint } from "./wire.ts";

export type { ChancesPoint } from "./wire.ts";

/** Between two points the chances changed much. */
export interface TurningPoint {
  /** The second of the two points. */
  point: number;
  /** Whose chances changed most. */
  seat: number;
  from: number;
  to: number;
}

const MOST = 2;
/** A change that is less might be chance alone. */
const LEAST = 0.08;

/** Where the chances changed most, in the order of the game; not at its end, where all comes to light. */
export function turningPoints(points: readonly ChancesPoint[]): TurningPoint[] {
  const found = points.slice(1, -1).map(({ chances }, before): TurningPoint => {
    const earlier = points[before]!.chances;
    const by = (seat: number): number => Math.abs(chances[seat]! - earlier[seat]!);
    const seat = [...chances.keys()].reduce((best, one) => (by(one) > by(best) ? one : best));
    return { point: before + 1, seat, from: earlier[seat]!, to: chances[seat]! };
  });
  const change = (one: TurningPoint): number => Math.abs(one.to - one.from);
  return found
    .filter((one) => change(one) >= LEAST)
    .sort((a, b) => change(b) - change(a))
    .slice(0, MOST)
    .sort((a, b) => a.point - b.point);
}

/** What the log says about the way to a point: the loud lines, else what was done first. */
export function toldAt(
  points: readonly ChancesPoint[],
  point: number,
  story: readonly Told[],
  headings: Readonly<Record<string, number>>,
  loud: readonly string[],
): string {
  const events = story
    .slice(points[point - 1]?.told ?? 0, points[point]!.told)
    .filter(({ event, line }) => line && !(event in headings));
  return (events.findLast(({ event }) => loud.includes(event)) ?? events[0])?.line ?? "";
}

/** The first point of every round: where the log begins a group of the first level. */
export function rounds(
  points: readonly ChancesPoint[],
  story: readonly Told[],
  headings: Readonly<Record<string, number>>,
): { point: number; line: string }[] {
  return story.flatMap(({ event, line }, place) => {
    const point = points.findIndex(({ told }) => told > place);
    return headings[event] === 1 && point >= 0 ? [{ point, line: line ?? "" }] : [];
  });
}
