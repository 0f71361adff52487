// Equinox in words: what the things on the table are called, and what there is to say about them.
import type { TipText } from "../../parts/tip.svelte.ts";
import { figure, listed, t } from "../../lib/words.svelte.ts";
import type { Table } from "../../lib/table.svelte.ts";
import type { ReasonNow } from "../../lib/wire.ts";
import { isTree, kindOf, standings, strengthOf, type Column, type Preview, type View } from "./view.ts";

const own = (key: string, values: Record<string, string | number> = {}): string =>
  t(`web.equinox.${key}`, values);

/** What the server says of a thing, added to what it is. */
export function explained(about: TipText, ...reasons: (ReasonNow | null)[]): TipText {
  const found = reasons.filter((why) => why !== null);
  const rule = found.at(-1)?.rule ?? about.rule;
  const lines = [...about.lines, ...found.map((why) => why.text)];
  return { ...about, lines, ...(rule === undefined ? {} : { rule }) };
}

/** Whether a card of the hand would activate its power, and, if the question is about the hand, why it is not lit. */
export function whyCard(table: Table, card: string, ofHand: boolean): ReasonNow[] {
  const found = [table.why(`power-${kindOf(card)}`), ofHand ? table.why(card, true) : null];
  return found.filter((why) => why !== null);
}

export function kindName(kind: string): string {
  const where = kind === "chameleon" || isTree(kind) ? "card" : "creature";
  return t(`equinox.${where}.${kind}`);
}

export function cardName(card: string): string {
  const kind = kindOf(card);
  return isTree(card) ? kindName(kind) : `${kindName(kind)} ${strengthOf(card)}`;
}

/** A row by what a pebble in it is worth: "the 4 row". */
export function rowName(row: number, { worth }: View): string {
  return row ? t("equinox.place.row", { worth: worth[row]! }) : own("champion_short");
}

/** "5 creatures in play, three will be legends." */
export function remaining({ columns }: View): string {
  return own("remain", { count: columns.filter(({ in_play }) => in_play).length });
}

function placeName(column: Column, row: number, view: View): string {
  return t("equinox.place.cell", { creature: kindName(column.creature), row: rowName(row, view) });
}

/** As the beginning of a sentence or as a title. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a card is. */
export function aboutCard(card: string): TipText {
  const kind = kindOf(card);
  const lines = [t(`equinox.power.${kind}`)];
  if (!isTree(card)) lines.unshift(own("strength", { strength: strengthOf(card) }));
  return { title: cardName(card), lines, picture: kind, card };
}

/** More creatures than this are counted, not named. */
const FEW = 3;

/** Who would go after an option, as the server has foreseen it. */
export function foreseen(preview: Preview | null): string {
  if (!preview) return "";
  const { goes, order, power, missing = [], lowest = [] } = preview;
  if (goes) return own(power ? "then_goes_power" : "then_goes", { creature: kindName(goes) });
  if (!order) return own("then_any");
  if (missing.length > FEW) return own("then_missing_many", { number: missing.length });
  if (missing.length)
    return own("then_missing", { creatures: listed(missing.map(kindName)), count: missing.length });
  return own("then_tied", { creatures: listed(lowest.map(kindName)) });
}

/** "Ana 4 + 1 = 5" */
export function standing(name: string, rows: number[], total: number, { worth }: View): string {
  return own("sum", { name, sum: rows.map((row) => worth[row]).join(" + "), total, count: rows.length });
}

/** Who controls a creature, and why (E-4.2, E-4.3). */
export function aboutColumn(column: Column, view: View, names: string[]): TipText {
  const lines = [t(`equinox.power.${column.creature}`)];
  if (column.eliminated !== null) lines.push(own("out", { round: column.eliminated }));
  const found = standings(column);
  const sums = found.map(({ seat, rows, total }) => standing(names[seat] ?? "", rows, total, view));
  if (column.controller !== null) lines.push(own("controller", { name: names[column.controller] ?? "" }));
  else if (found.length) lines.push(own("controller_tied"));
  else if (column.in_play) lines.push(own("controller_none"));
  if (sums.length) lines.push(own("sums", { sums: sums.join(", ") }));
  return { title: kindName(column.creature), lines, picture: column.creature, rule: "E-4.2" };
}

export function aboutCell(column: Column, row: number, view: View, names: string[]): TipText {
  const cell = column.cells[row - 1]!;
  const lines: string[] = [];
  const kind = cell.top ? kindOf(cell.top) : "";
  if (cell.top) {
    lines.push(own("top", { card: cardName(cell.top) }));
    if (cell.covered.length)
      lines.push(own("under", { cards: listed([...cell.covered].reverse().map(cardName)) }));
    if (kind === "chameleon") lines.push(own("chameleon_here"));
  } else if (row <= view.round && column.in_play) lines.push(own("empty"));
  else if (row > view.round) lines.push(own("later", { round: row }));
  lines.push(
    cell.pebble === null
      ? own("worth", { points: view.worth[row]! })
      : own("pebble", { name: names[cell.pebble] ?? "", points: view.worth[row]! }),
  );
  const found: TipText = { title: placeName(column, row, view), lines };
  if (kind) found.picture = kind;
  if (cell.top) found.card = cell.top;
  return found;
}

/** A cell for somebody who does not see it. */
export function cellLabel(column: Column, row: number, view: View, names: string[]): string {
  const cell = column.cells[row - 1]!;
  const parts = [placeName(column, row, view)];
  if (cell.top) parts.push(own("pile", { card: cardName(cell.top), count: cell.covered.length + 1 }));
  else parts.push(own("empty_short"));
  if (cell.pebble !== null) parts.push(own("pebble_short", { name: names[cell.pebble] ?? "" }));
  return parts.join(", ");
}

export function columnLabel(column: Column, names: string[]): string {
  const parts = [kindName(column.creature)];
  if (column.eliminated !== null) parts.push(own("out_short", { round: column.eliminated }));
  else if (column.controller !== null)
    parts.push(own("controller_short", { name: names[column.controller] ?? "" }));
  if (column.champion.length)
    parts.push(own("champions", { names: listed(column.champion.map((seat) => names[seat] ?? "")) }));
  return parts.join(", ");
}

/** What everybody, and this viewer, knows of a seat. */
export function aboutSeat(seat: number, view: View, names: string[]): TipText {
  const player = view.players[seat]!;
  const lines = [own("hand", { count: player.hand }), own("pebbles", { count: player.pebbles })];
  if (player.aside) lines.push(own("aside", { count: player.aside }));
  if (player.secret) {
    const mine = seat === view.viewer && view.own?.secret;
    lines.push(mine ? own("secret_own", { card: cardName(mine) }) : own("secret"));
  }
  if (player.resting) lines.push(own("resting"));
  const known = view.known.filter((entry) => entry.places.length === 1 && entry.places[0] === `hand-${seat}`);
  if (known.length) lines.push(own("known", { cards: listed(known.map((entry) => cardName(entry.card))) }));
  return { title: names[seat] ?? "", lines };
}

/** Halves as on the cards: 16½. */
export function halves(value: number): string {
  const whole = Math.floor(value);
  return value === whole ? figure(value) : `${whole || ""}½`;
}

export function points(value: number): string {
  return own("points", { count: value, points: halves(value) });
}

export { own };
