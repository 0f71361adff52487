// Planning and selection on this page alone: cards are laid into the forest and moved freely, columns are marked, and
// nothing is sent before it is confirmed. Then the answers go to the server one after another.
import type { Arrangement, Table } from "../../lib/table.svelte.ts";
import type { ChoiceNow } from "../../lib/wire.ts";
import { advised, plannedBy } from "./advice.ts";
import type { View } from "./view.ts";

const PLANNING = ["plan", "plan_space"];
const isSpace = (action: string): boolean => /^(top|bottom)-\d$/.test(action);

const sketches = new WeakMap<Table, Sketch>();

export class Sketch implements Arrangement {
  /** Where drawn cards lie, by space. */
  placed = $state.raw<Readonly<Record<string, string>>>({});
  /** The card in the hand: it goes to the next space that is chosen. */
  held = $state<string | null>(null);
  /** Columns to be played, in the order in which they were marked. */
  marked = $state.raw<readonly number[]>([]);

  private turn = "";
  /** The question at which the board was put away, as text mode does. */
  private left: number | undefined;

  constructor(readonly table: Table) {}

  /** What was arranged at a table, if its board comes back to the same question. */
  static at(table: Table): Sketch {
    const kept = sketches.get(table);
    if (kept && kept.left === table.choice?.id) return kept;
    const made = new Sketch(table);
    sketches.set(table, made);
    return made;
  }

  leave(): void {
    this.left = this.table.choice?.id;
  }

  takes(choice: ChoiceNow): boolean {
    return this.table.told === null && (PLANNING.includes(choice.kind) || choice.kind === "select");
  }

  get planning(): boolean {
    return PLANNING.includes(this.table.choice?.kind ?? "");
  }

  get selecting(): boolean {
    return this.table.choice?.kind === "select";
  }

  private get view(): View {
    return this.table.view as View;
  }

  /** The drawn cards that the server has not placed. */
  get drawn(): string[] {
    const { own, players } = this.view;
    const forest = own ? players[this.view.viewer!]!.forest : null;
    const there = new Set([...(forest?.top ?? []), ...(forest?.bottom ?? [])]);
    return (own?.drawn ?? []).filter((card) => !there.has(card));
  }

  get loose(): string[] {
    const laid = new Set(Object.values(this.placed));
    return this.drawn.filter((card) => !laid.has(card));
  }

  spaceOf(card: string): string | undefined {
    return Object.keys(this.placed).find((space) => this.placed[space] === card);
  }

  private isEmpty(space: string): boolean {
    const [row, place] = space.split("-") as ["top" | "bottom", string];
    return this.view.players[this.view.viewer!]!.forest[row][Number(place) - 1] === null;
  }

  can(action: string): boolean {
    if (action === "convert") return this.table.choice!.options.includes(action);
    if (this.selecting) {
      if (action === "done") return this.marked.length > 0 || this.table.choice!.options.includes(action);
      return this.table.choice!.options.includes(action);
    }
    if (action === "done") return this.loose.length === 0 && this.held === null;
    if (isSpace(action)) return this.held !== null && this.isEmpty(action);
    return this.held === null && this.loose.includes(action);
  }

  choose(action: string): void {
    if (action === "convert") return this.pass(action);
    if (this.selecting) return this.select(action);
    if (action === "done") return this.confirm();
    if (isSpace(action)) this.lay(this.held!, action);
    else this.held = action;
  }

  /** Where a strong player would lay the cards, by space. */
  get advice(): Readonly<Record<string, string>> {
    if (!this.planning) return {};
    const asked = this.table.choice!.about["card"] as string | undefined;
    return plannedBy(advised(this.table), asked, this.drawn);
  }

  /** Take a card into the hand, from the row in front or from where it was laid; or put it back there. */
  hold(card: string): void {
    if (this.planning && this.drawn.includes(card)) this.held = this.held === card ? null : card;
  }

  /** Lay a card on a space; what was laid there goes where the card came from. */
  lay(card: string, space: string): void {
    if (!this.planning || !this.drawn.includes(card) || !this.isEmpty(space)) return;
    const from = this.spaceOf(card);
    const other = this.placed[space];
    const others = Object.entries(this.placed).filter(([place]) => place !== space && place !== from);
    if (from && other) others.push([from, other]);
    this.placed = { ...Object.fromEntries(others), [space]: card };
    this.held = null;
  }

  /** Take a card, or all of them, back from the forest. */
  takeBack(card?: string): void {
    this.placed =
      card === undefined
        ? {}
        : Object.fromEntries(Object.entries(this.placed).filter(([, laid]) => laid !== card));
    this.held = null;
  }

  private confirm(): void {
    const plan = this.placed;
    this.table.follow(({ kind, options, about }) => {
      if (!PLANNING.includes(kind)) return null;
      if (kind === "plan_space")
        return Object.keys(plan).find((space) => plan[space] === (about as { card: string }).card) ?? null;
      return options.find((option) => option === "done" || Object.values(plan).includes(option)) ?? null;
    });
  }

  /** What is not arranged here goes to the server. */
  private pass(action: string): void {
    const answers = [action];
    this.table.follow(() => answers.shift() ?? null);
  }

  private select(action: string): void {
    if (action === "done") return this.play();
    const column = Number(action.slice("column-".length));
    this.marked = this.marked.includes(column)
      ? this.marked.filter((other) => other !== column)
      : [...this.marked, column].slice(-this.most);
  }

  /** How many columns can be marked. */
  get most(): number {
    return this.table.choice?.about["most"] as number;
  }

  /** What the marked columns bring to my shared and to my personal zone. */
  get played(): { shared: string[]; personal: string[] } {
    if (!this.selecting) return { shared: [], personal: [] };
    const { top, bottom } = this.view.players[this.view.viewer!]!.forest;
    const cards = (row: (string | null)[]): string[] =>
      this.marked.flatMap((column) => row[column - 1] ?? []);
    return { shared: cards(top), personal: cards(bottom) };
  }

  private play(): void {
    const columns = this.marked.map((column) => `column-${column}`);
    this.marked = [];
    this.table.follow(({ kind }) => {
      // a price that has to be exchanged for is asked for in between
      if (kind === "pay") return undefined;
      if (kind !== "select") return null;
      return columns.shift() ?? "done";
    });
  }

  /** A new turn begins with nothing laid and nothing marked. */
  begin(turn: string): void {
    if (turn === this.turn) return;
    this.turn = turn;
    [this.placed, this.held, this.marked] = [{}, null, []];
  }
}
