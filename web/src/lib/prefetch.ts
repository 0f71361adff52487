// On the page of a table, its first requests start together with the loading of the client: the state of the table, its
// WebSocket with the first message, and the code and words of its game. The browser knows the game of its own tables; for
// others the server names it, and these files, in the headers of the page.
import { games } from "../games/index.ts";
import { preferredAtFirst, wantedAtFirst } from "./language.ts";
import { takeFromAddress, tokenOf } from "./tokens.ts";
import type * as wire from "./wire.ts";

/** A WebSocket that was opened ahead of time, and what it has received. */
interface Early {
  socket: WebSocket;
  received: string[];
}

const answers = new Map<string, Promise<Response>>();
const sockets = new Map<string, Early>();
/** The tables that have asked for their socket: nothing is opened ahead for them any more. */
const asked = new Set<string>();

export function prefetch(): void {
  const table = /^\/t\/([A-Za-z0-9_-]{1,32})$/.exec(location.pathname)?.[1];
  if (table === undefined) return;
  takeFromAddress(table);
  const kept = tokenOf(table);
  const path = `/api/tables/${table}`;
  const answer = fetch(path);
  answers.set(path, answer);
  // a copy, since what a response holds can be read once
  const now = answer.then(async (found) => (await found.clone().json()) as wire.TableNow);
  if (!kept) connect(table);
  // who has a seat may share the device: then nothing is asked for before the curtain
  else void now.then((found) => sharing(found).length || connect(table)).catch(() => undefined);
  const game = kept?.game ? Promise.resolve(kept.game) : now.then((found) => found.game);
  void game.then(load).catch(() => undefined);
}

async function load(game: string): Promise<void> {
  const entry = games[game];
  if (entry) await Promise.all([entry.code(), entry.words[wantedAtFirst()]()]);
}

function connect(table: string): void {
  if (asked.has(table)) return;
  const socket = new WebSocket(socketOf(table));
  const received: string[] = [];
  const reveals = preferredAtFirst().confirm === "reveals";
  socket.onopen = () => socket.send(JSON.stringify(helloOf(table, wantedAtFirst(), reveals)));
  socket.onmessage = (event: MessageEvent<string>) => received.push(event.data);
  sockets.set(table, { socket, received });
}

/** The first message of a connection. */
export function helloOf(
  table: string,
  lang: string,
  reveals: boolean,
  seat: number | null = null,
  seq: number | null = null,
): wire.Hello {
  const kept = tokenOf(table);
  return { type: "hello", table, token: kept?.token || kept?.host || null, seat, seq, lang, reveals };
}

/** The seats that share a device at a table that is played, if there are several. */
export function sharing(now: wire.TableNow): number[] {
  const hot = now.seats.filter((seat) => seat.hot && !seat.left).map((seat) => seat.seat);
  return now.status === "playing" && hot.length > 1 ? hot : [];
}

/** The address of a table's WebSocket. */
export function socketOf(table: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?table=${encodeURIComponent(table)}`;
}

/** The WebSocket that was opened for a table ahead of time, once. It has said hello. */
export function takeSocket(table: string): Early | undefined {
  const found = sockets.get(table);
  sockets.delete(table);
  asked.add(table);
  return found && found.socket.readyState <= WebSocket.OPEN ? found : undefined;
}

/** The response to a prefetched request, once: it is stale afterwards. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const found = answers.get(path);
  answers.delete(path);
  return found;
}
