// What the client asks of a view of Equinox. The types are generated (view.generated.ts) from fabletop/games/equinox/view_types.py.
import { WITH_HALF } from "./facts.generated.ts";
import type { Column, Standing, View } from "./view.generated.ts";

export type { Cell, Column, Outcome, Own, Player, Preview, View } from "./view.generated.ts";

export const ROWS = [1, 2, 3, 4, 5];

/** `hoot-7`: hoot; `dryad`: dryad. */
export function kindOf(card: string): string {
  return card.split("-")[0]!;
}

const withHalf: readonly string[] = WITH_HALF;

/** What stands on the face of a card. `hoot-7`: "7", `ursus-7`: "7½"; nothing on a Tree. */
export function strengthOf(card: string): string {
  const [kind = "", strength = ""] = card.split("-");
  return withHalf.includes(kind) ? `${Number(strength) || ""}½` : strength;
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

/** The row in play as it lies there, weakest first. */
export function orderOf(view: View): Standing[] {
  return view.columns
    .flatMap(({ creature, in_play, cells }) => {
      const { top, strength } = cells[view.round - 1]!;
      return in_play && top && strength !== undefined ? [{ creature, card: top, strength }] : [];
    })
    .sort((a, b) => a.strength - b.strength);
}

/** Who has pebbles in a column, in which rows, and what they are worth together; most first. */
export function standings({ totals, champion, cells }: Column): {
  seat: number;
  rows: number[];
  total: number;
}[] {
  return totals
    .flatMap((total, seat) => {
      const rows = cells.flatMap(({ pebble }, i) => (pebble === seat ? [i + 1] : []));
      if (champion.includes(seat)) rows.unshift(0);
      return total === null ? [] : [{ seat, rows, total }];
    })
    .sort((a, b) => b.total - a.total);
}
