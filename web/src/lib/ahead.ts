// On the page of a table, what it needs is asked for at once, beside the client and not after it: how the table stands,
// and the game with its words. Which game, this browser knows of its own tables; else it is the first one.
import { games } from "../games/index.ts";
import { wantedAtFirst } from "./language.ts";
import { tokenOf } from "./tokens.ts";

const answers = new Map<string, Promise<Response>>();

export function askAhead(): void {
  const table = /^\/t\/([A-Za-z0-9_-]{1,32})$/.exec(location.pathname)?.[1];
  if (table === undefined) return;
  const path = `/api/tables/${table}`;
  answers.set(path, fetch(path));
  const kept = tokenOf(table)?.game;
  const game = kept && kept in games ? kept : Object.keys(games)[0]!;
  for (const one of [answers.get(path)!, games[game]!.code(), games[game]!.words[wantedAtFirst()]()])
    one.catch(() => undefined);
}

/** The answer to a question that was asked ahead; only once, for it grows old. */
export function takeAhead(path: string): Promise<Response> | undefined {
  const found = answers.get(path);
  answers.delete(path);
  return found;
}
