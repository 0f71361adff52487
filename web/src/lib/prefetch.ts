// On the page of a table, its first requests start together with the loading of the client: the state of the table, and
// the code and words of its game. The browser knows the game of its own tables; otherwise it is the first one.
import { games } from "../games/index.ts";
import { wantedAtFirst } from "./language.ts";
import { tokenOf } from "./tokens.ts";

const answers = new Map<string, Promise<Response>>();

export function prefetch(): void {
  const table = /^\/t\/([A-Za-z0-9_-]{1,32})$/.exec(location.pathname)?.[1];
  if (table === undefined) return;
  const path = `/api/tables/${table}`;
  answers.set(path, fetch(path));
  const kept = tokenOf(table)?.game;
  const game = kept && kept in games ? kept : Object.keys(games)[0]!;
  for (const one of [answers.get(path)!, games[game]!.code(), games[game]!.words[wantedAtFirst()]()])
    one.catch(() => undefined);
}

/** The response to a prefetched request, once: it is stale afterwards. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const found = answers.get(path);
  answers.delete(path);
  return found;
}
