// What each event of Equinox changes on the table when it has landed. How strong a card is, what the pebbles of a column
// are worth together and who controls it, only the rules can tell: that is read from the server's view.
import type { Told } from "../../lib/table.svelte.ts";
import { columnOf, kindOf, type Cell, type Column, type Own, type View } from "./view.ts";

/** Fields that change with the end of an update: what is asked, and what is known of hidden cards. */
export const AT_END = [
  "waiting_for",
  "phase",
  "power",
  "target",
  "named",
  "first_cell",
  "second_card",
  "carmen",
  "discards",
  "busy",
  "idle",
  "looked",
  "known",
  "lacks",
  "at_least",
  "held",
] as const satisfies readonly (keyof View | keyof Own)[];

type Event = Told & {
  seat: number;
  target: number;
  card?: string;
  cards?: string[];
  other: string;
  creature?: string;
  row: number;
  other_row: number;
  count: number;
  round: number;
};

/** Events after which the pebbles of a column are worth something else. */
const BETS = new Set([
  "predicted",
  "placed_pebble",
  "revealed",
  "exposed",
  "secret_at_end",
  "took_back_pebble",
  "took_back_champion",
]);

/** The creature whose column an event changes. */
const columnTouched = (event: Event): string => event.creature ?? (event.card ? kindOf(event.card) : "");

export function land(shown: unknown, told: Told, last: unknown, rest: readonly Told[]): void {
  const [view, final, event] = [shown as View, last as View, told as Event];
  change(view, final, event);
  const column = columnOf(view, columnTouched(event));
  if (column) settle(column, columnOf(final, column.creature)!, rest);
}

/** What the rules make of a column, as far as no event that follows changes it again. */
function settle(column: Column, final: Column, rest: readonly Told[]): void {
  column.cells.forEach((cell, i) => {
    const { top, strength } = final.cells[i]!;
    if (cell.top === top && strength !== undefined) cell.strength = strength;
    else delete cell.strength;
  });
  const later = rest.some(
    (event) => BETS.has(event.event) && columnTouched(event as Event) === column.creature,
  );
  if (later) return;
  column.controller = final.controller;
  column.totals = final.totals;
}

function change(view: View, final: View, event: Event): void {
  const { seat, card, target } = event;
  const player = view.players[seat]!;
  const cell = (row = event.row): Cell => columnOf(view, columnTouched(event))!.cells[row - 1]!;

  switch (event.event) {
    case "round_began":
      view.round = event.round;
      return;
    case "turn_began":
      view.turn = seat;
      for (const other of view.players) other.resting = 0;
      return;
    case "played":
    case "chameleon_played":
      leaveHand(view, seat, card);
      return lay(cell(), card!);
    case "tree_played":
    case "discarded":
      leaveHand(view, seat, card);
      return discard(view, card);
    case "discarded_unseen":
      leaveHand(view, seat, card);
      player.unseen += 1;
      if (seat === view.viewer && card) view.own!.unseen.push(card);
      return discard(view);
    case "drew":
      view.deck -= event.count;
      return intoHand(view, seat, event.count, event.cards);
    case "predicted":
    case "placed_pebble":
      player.pebbles -= 1;
      cell().pebble = seat;
      return;
    case "predicted_secretly":
      leaveHand(view, seat, card);
      player.pebbles -= 1;
      player.secret = player.secret_made = true;
      if (seat === view.viewer) view.own!.secret = card ?? null;
      return;
    case "revealed":
    case "exposed":
    case "secret_at_end":
      uncover(view, seat, card);
      columnOf(view, event.creature!)?.champion.push(seat);
      columnOf(view, event.creature!)?.champion.sort();
      return;
    case "took_back_pebble":
      cell().pebble = null;
      return takeBack(view, seat);
    case "took_back_champion": {
      const column = columnOf(view, event.creature!)!;
      column.champion = column.champion.filter((other) => other !== seat);
      return takeBack(view, seat);
    }
    case "took_back_secret":
      uncover(view, seat, card);
      return takeBack(view, seat);
    case "set_aside": {
      view.players[target]!.aside += event.count;
      for (let i = 0; i < event.count; i++) leaveHand(view, target, event.cards?.[i]);
      if (target === view.viewer) view.own!.aside.push(...(event.cards ?? []));
      return;
    }
    case "got_back":
      player.aside -= event.count;
      if (seat === view.viewer) view.own!.aside = [];
      return intoHand(view, seat, event.count, event.cards);
    case "gave":
      leaveHand(view, seat, card);
      return intoHand(view, target, 1, card ? [card] : undefined);
    case "kept_card":
      leaveHand(view, target, card);
      return intoHand(view, seat, 1, card ? [card] : undefined);
    case "took_card":
      lift(cell());
      return intoHand(view, seat, 1, [card!]);
    case "removed_card":
      lift(cell());
      return discard(view, card);
    case "swapped":
      lift(cell());
      lift(cell(event.other_row));
      lay(cell(), event.other);
      return lay(cell(event.other_row), card!);
    case "eliminated": {
      const column = columnOf(view, event.creature!)!;
      column.in_play = false;
      column.eliminated = event.round;
      return;
    }
    case "won":
      view.outcome = final.outcome;
      return;
  }
}

function leaveHand(view: View, seat: number, card?: string): void {
  view.players[seat]!.hand -= 1;
  if (seat !== view.viewer || card === undefined || !view.own) return;
  const place = view.own.hand.indexOf(card);
  if (place >= 0) view.own.hand.splice(place, 1);
  if (view.own.held === card) view.own.held = null;
}

function intoHand(view: View, seat: number, count: number, cards: readonly string[] = []): void {
  view.players[seat]!.hand += count;
  if (seat === view.viewer) view.own?.hand.push(...cards);
}

function lay(cell: Cell, card: string): void {
  if (cell.top) cell.covered.push(cell.top);
  cell.top = card;
}

function lift(cell: Cell): void {
  cell.top = cell.covered.pop() ?? null;
}

function discard(view: View, card?: string): void {
  view.discard += 1;
  if (card !== undefined) view.discarded.push(card);
}

/** The card of a secret prediction is turned over and discarded. */
function uncover(view: View, seat: number, card?: string): void {
  view.players[seat]!.secret = false;
  if (seat === view.viewer && view.own) view.own.secret = null;
  discard(view, card);
}

/** A pebble comes back, and rests until the next turn. */
function takeBack(view: View, seat: number): void {
  view.players[seat]!.pebbles += 1;
  view.players[seat]!.resting += 1;
}
