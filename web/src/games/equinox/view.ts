// What the client asks of a view of Equinox. The types are generated (view.generated.ts) from fabletop/games/equinox/view_types.py.
import { HALF_STRONGER, WORTH } from "./facts.generated.ts";
import type { Column, View } from "./view.generated.ts";

export type { Cell, Column, Own, Player, Preview, View } from "./view.generated.ts";

export interface Reckoned {
  seat: number;
  pebbles: { creature: string; row: number; value: number }[];
}

export const ROWS = [1, 2, 3, 4, 5];

/** `hoot-7`: hoot; `dryad`: dryad. */
export function kindOf(card: string): string {
  return card.split("-")[0]!;
}

const halfStronger: readonly string[] = HALF_STRONGER;

/** `hoot-7`: "7", with a half where the creature has one; a Tree has none. */
export function strengthOf(card: string): string {
  const [kind = "", strength = ""] = card.split("-");
  return halfStronger.includes(kind) ? `${Number(strength) || ""}½` : strength;
}

export const isTree = (card: string): boolean => card === "ancestor" || card === "dryad";

export function columnOf(view: View, creature: string): Column | undefined {
  return view.columns.find((column) => column.creature === creature);
}

/** The hand in the order of the columns, weak cards first; Chameleons and Trees last. */
export function sortedHand(view: View, cards: string[]): string[] {
  const place = (card: string): number => {
    const column = view.creatures.indexOf(kindOf(card));
    const strength = Number(card.split("-")[1] ?? 99);
    return (column < 0 ? (isTree(card) ? 99 : 98) : column) * 100 + strength;
  };
  return [...cards].sort((a, b) => place(a) - place(b));
}

/** `ursus-6`: 6.5 */
export const valueOf = (card: string): number =>
  Number(card.split("-")[1]) + (strengthOf(card).endsWith("½") ? 0.5 : 0);

/** The row in play as it lies there, weakest first. */
export function orderOf(view: View): { creature: string; card: string }[] {
  return view.columns
    .flatMap(({ creature, in_play, cells }) => {
      const card = cells[view.round - 1]?.top;
      return in_play && card ? [{ creature, card }] : [];
    })
    .sort((a, b) => valueOf(a.card) - valueOf(b.card));
}

/** The pebbles of a column by seat, most valuable first, and what they add up to. */
export function standings(column: Column): { seat: number; rows: number[]; total: number }[] {
  const found = new Map<number, number[]>();
  for (const seat of column.champion) found.set(seat, [...(found.get(seat) ?? []), 0]);
  column.cells.forEach((cell, i) => {
    if (cell.pebble !== null) found.set(cell.pebble, [...(found.get(cell.pebble) ?? []), i + 1]);
  });
  return [...found]
    .map(([seat, rows]) => ({ seat, rows, total: rows.reduce((sum, row) => sum + WORTH[row]!, 0) }))
    .sort((a, b) => b.total - a.total);
}
