// The view of Equinox as the server sends it (fabletop/games/equinox/view.py says what each field means).
import { HALF_STRONGER, WORTH } from "./facts.generated.ts";

export interface Cell {
  top: string | null;
  covered: string[];
  pebble: number | null;
}

export interface Column {
  creature: string;
  in_play: boolean;
  eliminated: number | null;
  controller: number | null;
  champion: number[];
  cells: Cell[];
}

export interface Player {
  hand: number;
  aside: number;
  unseen: number;
  pebbles: number;
  resting: number;
  secret: boolean;
  secret_made: boolean;
}

export interface View {
  game: "equinox";
  seats: number;
  viewer: number | null;
  creatures: string[];
  round: number;
  turn: number;
  phase: string;
  waiting_for: number[];
  power: { creature: string; power: string; committed: boolean } | null;
  target: number | null;
  named: string | null;
  first_cell: string | null;
  second_card: boolean;
  carmen: boolean;
  discards: number;
  columns: Column[];
  players: Player[];
  deck: number;
  discard: number;
  discarded: string[];
  own: {
    hand: string[];
    aside: string[];
    secret: string | null;
    unseen: string[];
    held: string | null;
  } | null;
  looked: string[] | null;
  known: { card: string; places: string[]; public: string[] }[];
  outcome: { scores: number[]; winners: number[]; reason: string } | null;
}

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
  return halfStronger.includes(kind) ? `${strength}½` : strength;
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
