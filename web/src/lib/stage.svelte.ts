// What travels over the table. A game says for every event what moves from which spot to which; the stage measures the
// spots (elements with `data-spot`), lets copies fly between them, and hides what has not arrived yet.
import { tick } from "svelte";
import { prefs } from "./prefs.svelte.ts";

export interface Thing {
  kind: "card" | "pebble";
  /** A card's id, or nothing for its back. */
  card?: string;
  seat?: number;
}

export interface Flight {
  from: string;
  to: string;
  thing: Thing;
}

export interface Flying extends Flight {
  key: number;
  start: DOMRect;
  end: DOMRect;
  delay: number;
  landed: () => void;
}

const GAP = 90;
export const TRAVEL = 320;

export function spotOf(name: string): Element | null {
  return document.querySelector(`[data-spot="${CSS.escape(name)}"]`);
}

/** The first spot of several that is on the page: "hand-hoot-7|seat-0". */
function rectOf(names: string): DOMRect | null {
  for (const name of names.split("|")) {
    const rect = spotOf(name)?.getBoundingClientRect();
    if (rect && rect.width > 0) return rect;
  }
  return null;
}

export class Stage {
  flying = $state.raw<Flying[]>([]);
  /** Spots whose thing is still in the air. */
  arriving = $state.raw<ReadonlySet<string>>(new Set());
  private next = 0;

  /** Show a change: `change` puts the new view on the page. */
  async play(flights: Flight[], change: () => void): Promise<void> {
    const from = flights.map((flight) => rectOf(flight.from));
    this.arriving = new Set(flights.flatMap((flight) => flight.to.split("|")));
    change();
    await tick();
    const landings: Promise<void>[] = [];
    const flying: Flying[] = [];
    flights.forEach((flight, i) => {
      const start = from[i];
      const end = rectOf(flight.to);
      if (!start || !end) return;
      landings.push(
        new Promise((landed) =>
          flying.push({ ...flight, key: this.next++, start, end, delay: i * this.pace(GAP), landed }),
        ),
      );
    });
    this.flying = flying;
    if (flying.length) {
      const longest = this.pace(TRAVEL + GAP * flying.length) + 600;
      await Promise.race([Promise.all(landings), new Promise((late) => setTimeout(late, longest))]);
    }
    this.flying = [];
    this.arriving = new Set();
  }

  pace(milliseconds: number): number {
    return prefs.speed === "fast" ? milliseconds / 2.5 : milliseconds;
  }

  /** Everything lands at once. */
  skip(): void {
    for (const flight of this.flying) flight.landed();
  }
}
