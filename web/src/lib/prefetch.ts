// On the page of a table, its first requests start together with the loading of the client: the state of the table, and
// the code and words of its game. The browser knows the game of its own tables; of others the server tells it.
import { games } from "../games/index.ts";
import { wantedAtFirst } from "./language.ts";
import { tokenOf } from "./tokens.ts";

const answers = new Map<string, Promise<Response>>();

export function prefetch(): void {
  const table = /^\/t\/([A-Za-z0-9_-]{1,32})$/.exec(location.pathname)?.[1];
  if (table === undefined) return;
  const path = `/api/tables/${table}`;
  const answer = fetch(path);
  answers.set(path, answer);
  const kept = tokenOf(table)?.game;
  // a copy, since what a response holds can be read once
  const game = kept ? Promise.resolve(kept) : answer.then(async (found) => (await found.clone().json()).game);
  void game.then(load).catch(() => undefined);
}

async function load(game: string): Promise<void> {
  const entry = games[game];
  if (entry) await Promise.all([entry.code(), entry.words[wantedAtFirst()]()]);
}

/** The response to a prefetched request, once: it is stale afterwards. */
export function takePrefetched(path: string): Promise<Response> | undefined {
  const found = answers.get(path);
  answers.delete(path);
  return found;
}
