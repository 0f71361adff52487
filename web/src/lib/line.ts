// The line to the server: one WebSocket that comes back by itself and goes on from the last update it has seen.
import type * as wire from "./wire.ts";

export type LineState = "connecting" | "open" | "lost" | "ended";

export interface Ear {
  hello(): wire.Hello;
  hear(message: wire.Says): void;
  state(now: LineState, reason: string): void;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8000;
const QUIET = 30_000;

export class Line {
  private socket: WebSocket | undefined;
  private wait = FIRST_WAIT;
  private timer = 0;
  private watch = 0;
  private ended = false;
  /** What has been asked and not been answered: said again when the line is back. Ids make that harmless. */
  private readonly unanswered = new Map<string, wire.Act | wire.Undo>();

  constructor(private readonly ear: Ear) {}

  open(): void {
    if (this.ended) return;
    clearTimeout(this.timer);
    this.ear.state("connecting", "");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const table = encodeURIComponent(this.ear.hello().table);
    const socket = new WebSocket(`${scheme}://${location.host}/ws?table=${table}`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.ear.hello()));
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.socket) this.take(JSON.parse(event.data) as wire.Says);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.again();
    };
  }

  private take(message: wire.Says): void {
    clearTimeout(this.watch);
    this.watch = window.setTimeout(() => this.ping(), QUIET);
    if (message.type === "welcome") {
      this.wait = FIRST_WAIT;
      this.ear.state("open", "");
      for (const said of this.unanswered.values()) this.say(said);
    }
    if (message.type === "done" && message.id) this.unanswered.delete(message.id);
    if (message.type === "update" && message.done) this.unanswered.delete(message.done);
    if (message.type === "error" && message.id && message.code !== "busy") this.unanswered.delete(message.id);
    if (message.type === "bye" && !message.again) this.end(message.reason);
    this.ear.hear(message);
  }

  private again(): void {
    if (this.ended) return;
    this.ear.state("lost", "");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), this.wait * (0.7 + 0.6 * Math.random()));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.8);
  }

  /** Nothing heard for a while: is anybody there? If nothing comes back, connect again. */
  private ping(): void {
    this.say({ type: "ping", n: 1 });
    this.watch = window.setTimeout(() => this.socket?.close(), QUIET / 3);
  }

  say(message: wire.Said): void {
    if ((message.type === "act" || message.type === "undo") && message.id)
      this.unanswered.set(message.id, message);
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  get waiting(): boolean {
    return this.unanswered.size > 0;
  }

  end(reason = ""): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    clearTimeout(this.watch);
    this.socket?.close();
    if (reason) this.ear.state("ended", reason);
  }
}

export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
