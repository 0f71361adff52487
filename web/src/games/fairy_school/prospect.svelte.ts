// What would follow: what the server says of the thing that is pointed at, before it is chosen. A mouse points and the
// keyboard focuses; a finger taps once to look and a second time to choose.
import type { Attachment } from "svelte/attachments";
import { createContext } from "svelte";
import type { Script, Table } from "../../lib/table.svelte.ts";
import type { Sketch } from "./arrangement.svelte.ts";
import { arriving } from "./focus.ts";
import type { Preview } from "./view.generated.ts";
import { ELEMENTS, type Amounts, type View } from "./view.ts";

/** Questions about cards whose cost is not paid now. */
export const UNPAID: ReadonlySet<string> = new Set(["draft", "drop", "goal", "final"]);

export class Prospect {
  pointed = $state<string | null>(null);
  /** Opened by a finger: a button chooses it. */
  opened = $state(false);
  private finger = false;
  private last: { stock: string; told: Record<string, Preview> } = { stock: "", told: {} };

  constructor(
    readonly table: Table,
    readonly sketch: Sketch,
  ) {}

  /** All that the server says now; while nothing is asked, what it said last, as long as it is true. */
  get told(): Record<string, Preview> {
    const { view, choice } = this.table;
    const seat = (view as View).viewer;
    const stock = seat === null ? "" : JSON.stringify((view as View).players[seat]!.elements);
    if (choice) this.last = { stock, told: (choice.previews ?? {}) as Record<string, Preview> };
    return this.last.stock === stock ? this.last.told : {};
  }

  of(thing: string): Preview | undefined {
    return this.told[thing];
  }

  /** What is looked at: the thing that is pointed at, or the columns that are marked. */
  get thing(): string | null {
    const { marked, selecting } = this.sketch;
    const columns = marked.map((column) => `column-${column}`);
    const more = this.pointed?.startsWith("column-") ? this.pointed : null;
    if (selecting && columns.length) {
      const wanted = more && !columns.includes(more) && columns.length < this.sketch.most ? [more] : [];
      return [...columns, ...wanted].sort().join(" ");
    }
    return this.pointed;
  }

  get now(): Preview | undefined {
    const { choice } = this.table;
    if (this.thing === null || !choice) return undefined;
    const told = this.of(this.thing);
    return told && UNPAID.has(choice.kind) ? {} : told;
  }

  /** How many of an element there would be more or fewer. */
  change(has: Amounts): Amounts | null {
    const after = this.now?.elements;
    if (!after) return null;
    return Object.fromEntries(ELEMENTS.map((element) => [element, after[element] - (has[element] ?? 0)]));
  }

  /** Point at a thing; a finger that chooses something for the first time only points. */
  point(thing: () => string | null): Attachment<HTMLElement> {
    return (node) => {
      const look = (): void => void ([this.pointed, this.opened] = [thing(), false]);
      // a thing that is taken off the page while it is pointed at says so in the middle of drawing
      const leave = (): void => {
        const what = thing();
        queueMicrotask(() => this.pointed === what && (this.pointed = null));
      };
      const mouse = (event: PointerEvent): void => void (event.pointerType === "mouse" && look());
      const away = (event: PointerEvent): void => void (event.pointerType === "mouse" && leave());
      const down = (event: PointerEvent): void => void (this.finger = event.pointerType === "touch");
      const click = (event: MouseEvent): void => {
        const what = thing();
        const first = this.finger && what !== null && this.pointed !== what && this.opens(what);
        this.finger = false;
        if (!first) return;
        [this.pointed, this.opened] = [what, true];
        event.stopImmediatePropagation();
        event.preventDefault();
      };
      node.addEventListener("pointerenter", mouse);
      node.addEventListener("pointerleave", away);
      node.addEventListener("pointerdown", down);
      node.addEventListener("click", click, true);
      node.addEventListener("focus", () => !arriving && node.matches(":focus-visible") && look());
      // what a finger has opened stays open: the next thing it presses may be the button that chooses it
      node.addEventListener("blur", () => void (this.opened || leave()));
      return leave;
    };
  }

  /** Is there something to see before this is chosen? Columns are marked before they are played anyway. */
  private opens(thing: string): boolean {
    const told = this.table.can(thing) && !this.sketch.selecting ? this.of(thing) : undefined;
    return told?.elements !== undefined || told?.cubes !== undefined;
  }

  close(): void {
    [this.pointed, this.opened] = [null, false];
  }

  /** Pay in the cheapest way from here. */
  payBest(): void {
    const script: Script = ({ kind, previews }) => {
      if (kind !== "pay") return null;
      const told = (previews ?? {}) as Record<string, Preview>;
      return Object.keys(told).find((thing) => told[thing]!.best) ?? null;
    };
    this.table.follow(script);
  }
}

export const [prospectOf, setProspect] = createContext<Prospect>();
