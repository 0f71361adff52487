// The stage: shows what happened one event at a time, cause before effect. For every event a game says what moves from
// which spot to which (elements with `data-spot`), how long its scene lasts, and whether it waits for the person; the
// view on the page changes only when the event has landed.
import { tick } from "svelte";
import { prefs, type Speed } from "./prefs.svelte.ts";
import type { Told } from "./table.svelte.ts";

export interface Thing {
  kind: "card" | "pebble" | "token";
  /** A card's id, or nothing for its back. */
  card?: string;
  /** It turns over on its way: it leaves with its back up and lands with its face up. */
  turns?: boolean;
  seat?: number;
  /** What a token of the game is. */
  name?: string;
  /** What a pebble brings where it lands. */
  value?: number;
  /** What its player has with it. */
  total?: number;
}

export interface Flight {
  from: string;
  to: string;
  thing: Thing;
  /** Milliseconds after which it leaves; else each leaves shortly after the one before. */
  at?: number;
}

export interface Flying extends Flight {
  key: number;
  start: DOMRect;
  end: DOMRect;
  delay: number;
  landed: () => void;
}

/** What a person has to see before the game goes on. */
export interface Notice {
  /** Who did it. */
  seat?: number;
  title: string;
  lines: string[];
  /** A card, or only a picture. */
  card?: string;
  picture?: string;
}

/** One event as the stage shows it: flights, then the beats of its scene, then the landing, then the notice. */
export interface Act {
  event: Told;
  flights: Flight[];
  /** Milliseconds of each part of its scene; the board reads `stage.scene` to draw them. */
  beats: readonly number[];
  land: () => void;
  notice: Notice | null;
}

const GAP = 90;
export const TRAVEL = 450;
/** After a step of somebody else, so that it can be taken in. */
const PAUSE = 700;
const PACE: Record<Speed, number> = { slow: 1.7, normal: 1, fast: 0.4, off: 0 };

export function spotOf(name: string): Element | null {
  return document.querySelector(`[data-spot="${CSS.escape(name)}"]`);
}

/** The first spot of several that is on the page: "hand-hoot-7|seat-0". */
function foundOf(names: string): { name: string; rect: DOMRect } | null {
  for (const name of names.split("|")) {
    const rect = spotOf(name)?.getBoundingClientRect();
    if (rect && rect.width > 0) return { name, rect };
  }
  return null;
}

/** Does anything fly, or does it only appear where it lands? */
export function calm(): boolean {
  return prefs.text || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Stage {
  flying = $state.raw<Flying[]>([]);
  /** Spots whose thing is in the air. */
  leaving = $state.raw<ReadonlySet<string>>(new Set());
  /** The event that is being shown. */
  showing = $state.raw<Told | null>(null);
  /** The event that is being shown as a scene, and the beat of it, from 0; -1 while its things fly. */
  scene = $state.raw<{ event: Told; beat: number } | null>(null);
  /** The flights of the event that have landed. */
  arrived = $state.raw<readonly Flight[]>([]);
  notice = $state.raw<Notice | null>(null);
  /** Everything lands at once until the person is asked. */
  private hurried = false;
  private quicker = 1;
  private next = 0;
  private waits = new Set<() => void>();

  /** Show one event; with `atOnce` it only lands. */
  async show(act: Act, atOnce: boolean): Promise<void> {
    if (!atOnce) {
      this.showing = act.event;
      if (act.beats.length && !this.hurried) this.scene = { event: act.event, beat: -1 };
      await tick();
      if (act.flights.length) await (calm() ? this.count(act.flights) : this.fly(act.flights));
      for (let beat = 0; beat < act.beats.length && !this.hurried; beat++) {
        this.scene = { event: act.event, beat };
        await this.wait(act.beats[beat]!);
      }
    }
    act.land();
    this.strike();
    await tick();
    if (act.notice) await this.tell(act.notice);
  }

  private async fly(flights: Flight[]): Promise<void> {
    if (this.hurried) return;
    const landings: Promise<void>[] = [];
    const flying: Flying[] = [];
    const leaving = new Set<string>();
    for (const flight of flights) {
      const start = foundOf(flight.from);
      const end = foundOf(flight.to);
      if (!start || !end) continue;
      // a token leaves what it lies on where it is
      if (flight.thing.kind !== "token") leaving.add(start.name);
      const delay = this.paced(flight.at ?? flying.length * GAP);
      const way = { start: start.rect, end: end.rect, delay };
      landings.push(
        new Promise((done) => {
          const landed = (): void => {
            this.arrived = [...this.arrived, flight];
            done();
          };
          flying.push({ ...flight, ...way, key: this.next++, landed });
        }),
      );
    }
    if (!flying.length) return;
    this.leaving = leaving;
    this.flying = flying;
    // a tab that is not drawn reports no end
    const longest = TRAVEL + Math.max(GAP * flying.length, ...flights.map(({ at }) => at ?? 0)) + 900;
    await Promise.race([Promise.all(landings), this.wait(longest)]);
  }

  /** Nothing flies; what is counted one by one still is. */
  private async count(flights: Flight[]): Promise<void> {
    let now = 0;
    for (const flight of flights) {
      if (flight.at === undefined) continue;
      await this.wait(flight.at - now);
      now = flight.at;
      this.arrived = [...this.arrived, flight];
    }
  }

  /** What somebody else did is left to be seen. */
  pause(): Promise<void> {
    return this.wait(PAUSE);
  }

  private wait(milliseconds: number): Promise<void> {
    if (this.hurried) return Promise.resolve();
    return new Promise((done) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waits.delete(end);
        done();
      };
      const timer = setTimeout(end, this.paced(milliseconds));
      this.waits.add(end);
    });
  }

  private told: (() => void) | null = null;

  private tell(notice: Notice): Promise<void> {
    return new Promise((done) => {
      this.notice = notice;
      this.told = done;
    });
  }

  /** The person has read it. */
  dismiss(): void {
    this.notice = null;
    this.told?.();
    this.told = null;
  }

  paced(milliseconds: number): number {
    return (milliseconds * PACE[prefs.speed]) / this.quicker;
  }

  /** Show everything from now on faster by this factor. */
  hasten(times: number): void {
    this.quicker = times;
  }

  /** Everything lands at once, until the person is asked. Notices still wait. */
  skip(): void {
    this.hurried = true;
    for (const end of [...this.waits]) end();
  }

  /** From now on there is time again. */
  rest(): void {
    this.hurried = false;
  }

  /** The table is left, or its view is taken off the page. */
  clear(): void {
    this.skip();
    this.dismiss();
    this.strike();
  }

  private strike(): void {
    this.flying = [];
    this.leaving = new Set();
    this.arrived = [];
    this.scene = this.showing = null;
  }
}
