// A table as this browser sees it: what the server sent, in the order in which it can be shown.
import { tick } from "svelte";
import { partsOf, type GameParts } from "../games/index.ts";
import { Connection, freshId, type ConnectionStatus, type Listener } from "./connection.ts";
import { prefs } from "./prefs.svelte.ts";
import { Stage, type Act } from "./stage.svelte.ts";
import { ASKED, chime, notifyTurn, pushTurns } from "./notify.ts";
import { helloOf } from "./prefetch.ts";
import { keep, tokenOf } from "./tokens.ts";
import { lang, refusal } from "./words.svelte.ts";
import type * as wire from "./wire.ts";

/** An event, with its line of the log. */
export type Told = wire.Update["events"][number];

/** What the server sent at once: events, and the view after them. */
interface Step {
  events: Told[];
  keep?: number;
  view: unknown;
  /** It is put on the page as it is, without staging. */
  atOnce?: boolean;
}

/**
 * Something arranged on this page alone, until it is confirmed: while it takes a choice, it says what can be chosen and
 * what that does.
 */
export interface Arrangement {
  takes(choice: wire.ChoiceNow): boolean;
  can(action: string): boolean;
  choose(action: string): void;
}

/**
 * Answers questions in place of the person: the action, `null` when it has no more to say, or `undefined` for a question
 * that the person has to answer first.
 */
export type Script = (choice: wire.ChoiceNow) => string | null | undefined;

/** So far behind the game nobody wants to watch every step. */
const LONG_QUEUE = 60;
const LONG_STORY = 40;
const REACTION_TIME = 4000;
/** How much quicker events are shown while the person's own time is running. */
const CLOCK_PACE = 2.5;
const NATURAL_PAUSE = 1100;
/** The thing whose reason holds for everything that is not offered and has no reason of its own. */
const ANYTHING_ELSE = "*";

export class Table implements Listener {
  now = $state.raw<wire.TableNow | null>(null);
  viewer = $state<number | null>(null);
  seats = $state.raw<number[]>([]);
  view = $state.raw<unknown>(null);
  choice = $state.raw<wire.ChoiceNow | null>(null);
  undoBar = $state<string | null>("nothing");
  story = $state.raw<Told[]>([]);
  chat = $state.raw<wire.ChatSays[]>([]);
  /** What people show each other at this moment. */
  reactions = $state.raw<{ key: number; seat: number; reaction: string }[]>([]);
  status = $state<ConnectionStatus>("connecting");
  ended = $state("");
  trouble = $state("");
  hint = $state.raw<wire.Hinted | null>(null);
  thinking = $state(false);
  /** The seat to which the device is to be handed; nothing of anybody's hand is on the page meanwhile. */
  curtain = $state<number | null>(null);
  /** Chosen, but not confirmed yet. */
  picked = $state<string | null>(null);
  /** The thing that the person points at, if something follows from it. */
  pointed = $state<string | null>(null);
  /** The event, by its place in the story, that the person has opened to see it again. */
  recalled = $state<number | null>(null);
  arrangement = $state.raw<Arrangement | null>(null);
  /** When the time for this choice is out, on the clock of this page. */
  deadline = $state<number | null>(null);
  sent = $state(false);
  busy = $state(false);
  /** What is shown at this moment is a step of this person alone. */
  own = $state(false);
  unread = $state(0);
  parts = $state.raw<GameParts | null>(null);
  /** While the game is looked through again: the number of events received until then. */
  told = $state<number | null>(null);
  readonly stage = new Stage();
  /** The token of a seat with which this page has connected. */
  token = "";

  private latest: wire.ChoiceNow | null = null;
  private script: Script | null = null;
  private connection = new Connection(this);
  private seq: number | null = null;
  private seat: number | null = null;
  private queue: Step[] = [];
  private held: Step[] = [];
  private pumping = false;
  private pause = 0;
  private asked = "";
  private closed = false;
  private opened = false;

  constructor(readonly id: string) {}

  // ---- the connection

  /** Connect; with several seats at this device, only as the one that is named. */
  open(seat: number | null = null): void {
    this.seat = seat;
    this.opened = true;
    this.connection.open();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.pause);
    this.connection.end();
    this.stage.clear();
  }

  hello(): wire.Hello {
    this.token = tokenOf(this.id)?.token ?? "";
    const seq = this.view === null ? null : this.seq;
    return helloOf(this.id, lang(), prefs.confirm === "reveals", this.seat, seq);
  }

  /** Reconnect, for the whole state in the current language. */
  refresh(): void {
    this.seq = null;
    this.connection.end();
    this.connection = new Connection(this);
    this.connection.open();
  }

  changed(status: ConnectionStatus, reason: string): void {
    this.status = status;
    if (status === "ended") this.ended = reason;
  }

  receive(message: wire.ServerMessage): void {
    switch (message.type) {
      case "welcome":
        return this.welcome(message);
      case "update":
        return this.update(message);
      case "view":
        return this.late(message);
      case "table":
        this.now = message.table;
        return;
      case "chat":
        this.chat = [...this.chat, message];
        this.unread += 1;
        return;
      case "reaction":
        this.showReaction(message);
        return;
      case "hint":
        this.thinking = false;
        if (message.choice === this.choice?.id) this.hint = message;
        return;
      case "done":
        this.sent = this.connection.waiting;
        if (message.token) keep(this.id, { token: message.token });
        return;
      case "error":
        this.sent = false;
        this.thinking = false;
        if (message.code === "stale") this.connection.send({ type: "look", seat: this.viewer });
        else if (this.now === null) this.ended = refusal(message.message);
        else this.trouble = refusal(message.message);
        return;
    }
  }

  private showReaction({ seat, reaction }: wire.Reacted): void {
    const shown = { key: performance.now(), seat, reaction };
    this.reactions = [...this.reactions.slice(-3), shown];
    setTimeout(() => (this.reactions = this.reactions.filter((one) => one !== shown)), REACTION_TIME);
  }

  private welcome(message: wire.Welcome): void {
    const other = message.viewer !== this.viewer || this.view === null;
    this.now = message.table;
    this.viewer = message.viewer;
    this.seats = message.seats;
    this.seq = message.seq;
    this.chat = message.chat;
    this.undoBar = message.undo;
    this.putClock(message.choice);
    this.held = [];
    this.sent = this.connection.waiting;
    if (message.seats.length && message.table.status !== "over") void pushTurns(this.id);
    // a game that is looked through again is over: nothing is missed, and its place is kept
    if (message.view === null || this.told !== null) return;
    const atOnce = other || message.events.length > LONG_STORY;
    this.queue = [{ events: message.events, keep: message.keep, view: message.view, atOnce }];
    if (this.pumping) this.stage.skip();
    void this.pump();
  }

  private async learn(): Promise<void> {
    if (this.parts === null && this.now) this.parts = await partsOf(this.now.game);
  }

  private update(message: wire.Update): void {
    this.seq = message.seq;
    if (message.undo !== undefined) this.undoBar = message.undo;
    if (message.choice !== undefined) this.putClock(message.choice);
    const step: Step = { events: message.events, view: message.view };
    if (message.keep !== undefined) step.keep = message.keep;
    if (message.view === undefined) {
      this.held.push(step);
      if (!this.pumping) this.goOn();
      return;
    }
    this.queue.push(...this.held, step);
    this.held = [];
    void this.pump();
  }

  private putClock(choice: wire.ChoiceNow | null): void {
    this.latest = choice;
    this.deadline = typeof choice?.left === "number" ? performance.now() + choice.left * 1000 : null;
  }

  private late(message: wire.ViewNow): void {
    const last = this.held.at(-1);
    if (last) last.view = message.view;
    else this.held.push({ events: [], view: message.view });
    this.queue.push(...this.held);
    this.held = [];
    void this.pump();
  }

  // ---- showing

  /** Show what waits, one step after the other; then what is asked. */
  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = this.busy = true;
    // what is picked and what was advised belong to one question, in whichever language it is put
    if (this.latest?.id !== this.choice?.id) this.choice = this.hint = this.picked = null;
    await this.learn().catch(() => (this.closed = true)); // the page is about to reload
    this.stage.rest();
    while (this.queue.length && !this.closed) await this.show(this.queue.shift()!);
    this.pumping = this.busy = this.own = false;
    if (!this.closed) this.ask();
  }

  /** Stage the events of a step one by one. At its end the page shows exactly what the server sent. */
  private async show(step: Step): Promise<void> {
    const taken = step.keep !== undefined && step.keep < this.story.length;
    if (step.atOnce || taken || this.view === null || !this.parts) {
      this.put(step);
      return tick();
    }
    if (prefs.speed === "off") {
      // nothing is staged: the page is drawn once, however much happened
      chime(step.events.map(({ event }) => this.parts!.notes[event]).find(Boolean));
      this.put(step);
      return tick();
    }
    step.events = this.parts.staged?.(step.events) ?? step.events;
    this.own = step.events.every(({ seat }) => seat === undefined || seat === this.viewer);
    let moved = false;
    for (const place of step.events.keys()) {
      const act = this.actOf(step, place);
      this.stage.hasten(this.deadline !== null ? CLOCK_PACE : this.own ? (this.parts.ownPace ?? 1) : 1);
      await this.stage.show(act, this.hurries);
      if (this.closed || this.view === null) return;
      moved ||= act.flights.length > 0 || act.beats.length > 0;
    }
    if (step.view !== undefined) this.view = step.view;
    await tick();
    if (moved && !this.hurries && !this.isMine(step)) await this.stage.pause();
  }

  private get hurries(): boolean {
    return document.hidden || this.queue.length > LONG_QUEUE;
  }

  private isMine(step: Step): boolean {
    const seat = step.events.find((event) => typeof event["seat"] === "number")?.["seat"];
    return seat === this.viewer;
  }

  /** How an event is shown: the game says what it moves and what it changes. */
  private actOf(step: Step, place: number): Act {
    const parts = this.parts!;
    const event = step.events[place]!;
    const rest = step.events.slice(place + 1);
    return {
      event,
      flights: parts.flights(event, this.viewer, this.view, step.view),
      beats: parts.beats?.(event, this.viewer) ?? [],
      notice: parts.notice?.(event, this) ?? null,
      land: () => {
        if (this.view === null) return;
        chime(parts.notes[event.event]);
        this.story = [...this.story, event];
        if (!parts.land || step.view === undefined) return;
        const view: unknown = structuredClone(this.view);
        try {
          if (parts.land(view, event, step.view, rest) !== false) this.view = view;
        } catch (error) {
          console.error(error); // the update still ends with the view of the server
        }
      },
    };
  }

  /** Put a step on the page as it is. */
  private put(step: Step): void {
    const kept = step.keep === undefined ? this.story : this.story.slice(0, step.keep);
    this.story = step.events.length || step.keep !== undefined ? [...kept, ...step.events] : kept;
    if (step.view !== undefined) this.view = step.view;
  }

  private ask(): void {
    this.choice = this.latest;
    // not before the next question is shown: what is clicked until then would answer the old one
    this.sent = this.connection.waiting;
    this.recalled = null;
    clearTimeout(this.pause);
    if (this.choice === null) return this.handOver();
    const name = `${this.viewer} ${this.choice.id}`;
    if (name !== this.asked && (document.hidden || !document.hasFocus()))
      notifyTurn(this.id, this.choice.prompt ?? "");
    if (name !== this.asked) chime(ASKED);
    this.asked = name;
    if (this.recite()) return;
    const [only] = this.choice.options;
    if (prefs.autopass && only !== undefined && this.mustPass) {
      this.pause = window.setTimeout(() => this.answer(only), prefs.speed === "off" ? 300 : NATURAL_PAUSE);
    }
  }

  /** At one device: if another of its seats is asked, nothing of this one's hand may stay on the page. */
  private handOver(): void {
    if (this.seats.length < 2 || this.view === null || this.parts === null || this.now?.status !== "playing")
      return;
    const next = this.parts
      .asked(this.view)
      .find((seat) => this.seats.includes(seat) && seat !== this.viewer);
    if (next === undefined) return;
    this.drop(next);
  }

  drop(seat: number): void {
    this.curtain = seat;
    this.view = null;
    this.story = [];
    this.choice = this.latest = null;
    this.hint = null;
    this.script = null;
    this.queue = [];
    this.stage.clear();
  }

  /** The person whose turn it is sits before the device now. */
  lift(): void {
    const seat = this.curtain;
    this.curtain = null;
    this.viewer = seat;
    if (!this.opened) this.open(seat);
    else {
      this.seat = seat;
      this.connection.send({ type: "look", seat });
    }
  }

  // ---- doing

  private get arranged(): Arrangement | null {
    return this.arrangement && this.choice && this.arrangement.takes(this.choice) ? this.arrangement : null;
  }

  can(action: string): boolean {
    if (this.sent || this.choice === null) return false;
    return this.arranged ? this.arranged.can(action) : this.choice.options.includes(action);
  }

  /**
   * Answer this question and those that follow by a script; it is dropped at the first answer that is not offered. A script
   * that waits for an answer goes on when this one has ended.
   */
  follow(script: Script): void {
    const waiting = this.script;
    this.script = waiting
      ? (choice) => {
          const action = script(choice);
          return action === null ? waiting(choice) : action;
        }
      : script;
    this.recite();
  }

  /** A script does not wait for the view of each of its answers. */
  private goOn(): void {
    if (!this.script || !this.latest) return;
    const shown = this.choice;
    this.sent = this.connection.waiting;
    this.choice = this.latest;
    if (!this.recite()) [this.choice, this.sent] = [shown, true];
  }

  private recite(): boolean {
    if (!this.script || !this.choice) return false;
    if (this.sent) return true;
    const action = this.script(this.choice);
    if (action === undefined) return false;
    if (action !== null && this.choice.options.includes(action)) {
      this.answer(action);
      return true;
    }
    this.script = null;
    return false;
  }

  /** Take an option; where steps are to be confirmed, the second time. */
  choose(action: string): void {
    if (!this.can(action)) return;
    this.trouble = "";
    if (this.arranged) return this.arranged.choose(action);
    if (this.picked !== action && this.mustConfirm(action)) {
      this.picked = action;
      return;
    }
    this.answer(action);
  }

  /** Point at an option first: what follows from it is shown, and choosing it again takes it. */
  pick(action: string): void {
    if (this.can(action)) this.picked = action;
  }

  private mustConfirm(action: string): boolean {
    if (this.choice!.options.length < 2) return false;
    return (
      prefs.confirm === "all" || (prefs.confirm === "reveals" && !!this.choice!.reveals?.includes(action))
    );
  }

  private answer(action: string): void {
    if (this.sent || !this.choice?.options.includes(action)) return;
    this.sent = true;
    this.hint = null;
    this.connection.send({ type: "act", id: freshId(), choice: this.choice!.id, action, seat: this.viewer });
  }

  /** Is passing the only answer? */
  get mustPass(): boolean {
    const options = this.choice?.options ?? [];
    return options.length === 1 && options[0] === this.parts?.pass;
  }

  /**
   * What the server says of a thing: why it cannot be chosen, or what follows from it. With `anything`, also what it
   * says of everything else that is not offered.
   */
  why(thing: string, anything = false): wire.ReasonNow | null {
    const reasons = this.choice?.reasons ?? [];
    const of = (name: string) => reasons.find((reason) => reason.things.includes(name)) ?? null;
    return of(thing) ?? (anything && !this.choice?.options.includes(thing) ? of(ANYTHING_ELSE) : null);
  }

  /** Choose by key what may not be offered: then say why. */
  attempt(action: string): void {
    if (this.can(action)) this.choose(action);
    else if (!this.sent) this.trouble = this.why(action)?.text ?? "";
  }

  labelOf(action: string): string {
    const place = this.choice?.options.indexOf(action) ?? -1;
    return this.choice?.labels?.[place] ?? action;
  }

  undo(): void {
    this.trouble = "";
    this.script = null;
    this.connection.send({ type: "undo", id: freshId(), seat: this.viewer });
  }

  askHint(): void {
    if (!this.choice || this.thinking) return;
    this.thinking = true;
    this.connection.send({ type: "hint", id: freshId(), seat: this.viewer });
  }

  send(message: wire.ClientMessage): void {
    this.connection.send(message);
  }

  /** Is the game over, and its end shown? */
  get over(): boolean {
    return !this.busy && (this.now?.status === "over" || this.now?.status === "closed");
  }

  get names(): string[] {
    return this.now?.seats.map((seat) => seat.name || String(seat.seat + 1)) ?? [];
  }

  get asking(): number[] {
    if (this.view !== null && this.parts !== null) return this.parts.asked(this.view);
    return this.now?.asked ?? [];
  }

  /** Are all the others bots, so that a hint is fair? */
  get alone(): boolean {
    return (this.now?.seats ?? []).every((seat) => seat.seat === this.viewer || !!seat.level);
  }
}
