// The connection to the server: one WebSocket that reconnects and resumes from the last update that it received.
import { socketOf, takeSocket } from "./prefetch.ts";
import type * as wire from "./wire.ts";

export type ConnectionStatus = "connecting" | "open" | "lost" | "ended";

export interface Listener {
  hello(): wire.Hello;
  receive(message: wire.ServerMessage): void;
  changed(status: ConnectionStatus, reason: string): void;
}

const FIRST_RETRY = 300;
const LONGEST_RETRY = 8000;
const QUIET = 30_000;

export class Connection {
  private socket: WebSocket | undefined;
  private delay = FIRST_RETRY;
  private timer = 0;
  private heartbeat = 0;
  private ended = false;
  /** Requests without an answer: sent again after a reconnect. Their ids make a repeat harmless. */
  private readonly unanswered = new Map<string, wire.Act | wire.Undo>();

  constructor(private readonly listener: Listener) {}

  open(): void {
    if (this.ended) return;
    clearTimeout(this.timer);
    this.listener.changed("connecting", "");
    // a line that is cut is noticed at once, not by the next heartbeat, and a new one is used at once
    for (const change of ["offline", "online"]) addEventListener(change, this.again);
    const { table } = this.listener.hello();
    const early = takeSocket(table);
    const socket = early?.socket ?? new WebSocket(socketOf(table));
    this.socket = socket;
    if (!early) socket.onopen = () => socket.send(JSON.stringify(this.listener.hello()));
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.socket) this.receive(JSON.parse(event.data) as wire.ServerMessage);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.retry();
    };
    for (const data of early?.received ?? [])
      queueMicrotask(() => this.receive(JSON.parse(data) as wire.ServerMessage));
  }

  private receive(message: wire.ServerMessage): void {
    clearTimeout(this.heartbeat);
    this.heartbeat = window.setTimeout(() => this.ping(), QUIET);
    if (message.type === "welcome") {
      this.delay = FIRST_RETRY;
      this.listener.changed("open", "");
      for (const sent of this.unanswered.values()) this.send(sent);
    }
    if (message.type === "done" && message.id) this.unanswered.delete(message.id);
    if (message.type === "update" && message.done) this.unanswered.delete(message.done);
    if (message.type === "error" && message.id && message.code !== "busy") this.unanswered.delete(message.id);
    if (message.type === "bye" && !message.again) this.end(message.reason);
    this.listener.receive(message);
  }

  private retry(): void {
    if (this.ended) return;
    this.listener.changed("lost", "");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.open(), this.delay * (0.7 + 0.6 * Math.random()));
    this.delay = Math.min(LONGEST_RETRY, this.delay * 1.8);
  }

  private readonly again = (): void => {
    const { socket } = this;
    if (!socket) return;
    this.socket = undefined;
    socket.close();
    this.delay = FIRST_RETRY;
    this.retry();
  };

  /** Heartbeat after a quiet while; without an answer, reconnect. */
  private ping(): void {
    this.send({ type: "ping", n: 1 });
    this.heartbeat = window.setTimeout(() => this.socket?.close(), QUIET / 3);
  }

  send(message: wire.ClientMessage): void {
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
    clearTimeout(this.heartbeat);
    for (const change of ["offline", "online"]) removeEventListener(change, this.again);
    this.socket?.close();
    if (reason) this.listener.changed("ended", reason);
  }
}

export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
