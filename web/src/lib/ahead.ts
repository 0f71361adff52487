// On the page of a table, what it needs is asked for at once, beside the client and not after it: how the table stands,
// a line to the server, and the game with its words. Which game, this browser knows of its own tables; else it is the first one.
import { games } from "../games/index.ts";
import { wantedAtFirst } from "./language.ts";
import { tokenOf } from "./tokens.ts";

const UNUSED = 5000;
const answers = new Map<string, Promise<Response>>();
let line: WebSocket | undefined;

export function askAhead(): void {
  const table = /^\/t\/([A-Za-z0-9_-]{1,32})$/.exec(location.pathname)?.[1];
  if (table === undefined) return;
  const path = `/api/tables/${table}`;
  answers.set(path, fetch(path));
  line = connect();
  setTimeout(() => takeLine()?.close(), UNUSED); // behind a curtain nobody may need it for long
  const kept = tokenOf(table)?.game;
  const game = kept && kept in games ? kept : Object.keys(games)[0]!;
  for (const one of [answers.get(path)!, games[game]!.code(), games[game]!.words[wantedAtFirst()]()]) one.catch(() => undefined);
}

/** The answer to a question that was asked ahead; only once, for it grows old. */
export function takeAhead(path: string): Promise<Response> | undefined {
  const found = answers.get(path);
  answers.delete(path);
  return found;
}

/** A new line to the server. */
export function connect(): WebSocket {
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
}

/** The line that was opened ahead, if it is still good. */
export function takeLine(): WebSocket | undefined {
  const found = line;
  line = undefined;
  return found && found.readyState <= WebSocket.OPEN ? found : undefined;
}
