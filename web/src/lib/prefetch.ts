// On the page of a table, its first requests start together with the loading of the client: the state of the table, its
// WebSocket, and the code and words of its game. The browser knows the game of its own tables; of others the server tells it.
import { games } from "../games/index.ts";
import { wantedAtFirst } from "./language.ts";
import { tokenOf } from "./tokens.ts";

const answers = new Map<string, Promise<Response>>();
const sockets = new Map<string, WebSocket>();

export function prefetch(): void {
  const table = /^\/t\/([A-Za-z0-9_-]{1,32})$/.exec(location.pathname)?.[1];
  if (table === undefined) return;
  const path = `/api/tables/${table}`;
  const answer = fetch(path);
  answers.set(path, answer);
  // who has a seat may share the device: then nothing is asked for before the curtain
  if (!tokenOf(table) && !location.hash) sockets.set(table, new WebSocket(socketOf(table)));
  const kept = tokenOf(table)?.game;
  // a copy, since what a response holds can be read once
  const game = kept ? Promise.resolve(kept) : answer.then(async (found) => (await found.clone().json()).game);
  void game.then(load).catch(() => undefined);
}

async function load(game: string): Promise<void> {
  const entry = games[game];
  if (entry) await Promise.all([entry.code(), entry.words[wantedAtFirst()]()]);
}

/** The address of a table's WebSocket. */
export function socketOf(table: string): string {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?table=${encodeURIComponent(table)}`;
}

/** The WebSocket that was opened for a table ahead of time, once. */
export function takeSocket(table: string): WebSocket | undefined {
  const found = sockets.get(table);
  sockets.delete(table);
  return found && found.readyState <= WebSocket.OPEN ? found : undefined;
}

/** The response to a prefetched request, once: it is stale afterwards. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const found = answers.get(path);
  answers.delete(path);
  return found;
}
