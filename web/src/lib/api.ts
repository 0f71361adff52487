// The HTTP side of the server.
import type * as wire from "./wire.ts";
import type { About, ChancesPoint, Done, NewTable, SeatPlan, TableNow, Verified } from "./wire.ts";
import { takePrefetched } from "./prefetch.ts";
import type { Told } from "./table.svelte.ts";
import { keep, tokens } from "./tokens.ts";
import { lang, refusal } from "./words.svelte.ts";

export type { About, Point, Verified } from "./wire.ts";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(refusal(message));
  }
}

/** A table in a list; `token` where it is one's own. */
export type ListedTable = wire.ListedTable & Partial<Pick<wire.OwnTable, "token">>;

export async function ask<T>(method: string, path: string, body?: unknown, token = ""): Promise<T> {
  const headers: Record<string, string> = { "Accept-Language": lang() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers["Authorization"] = `Bearer ${token}`;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  let answer: Response;
  try {
    answer = await ((method === "GET" && takePrefetched(path)) ||
      fetch(path, { method, headers, ...(body === undefined ? {} : { body: text }) }));
  } catch {
    throw new Refusal("offline", "");
  }
  const found = (await answer.json().catch(() => ({}))) as T & { code?: string; message?: string };
  if (!answer.ok) throw new Refusal(found.code ?? "fault", found.message ?? answer.statusText);
  return found;
}

let known: Promise<About> | undefined;
export function about(): Promise<About> {
  known ??= ask<About>("GET", "/api/about").catch((error: unknown) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Make a table, and keep what opens it. */
export async function make(table: NewTable): Promise<Done> {
  return remember(await ask<Done>("POST", "/api/tables", table), table.game);
}

function remember(done: Done, game: string): Done {
  keep(done.table!, { token: done.token ?? "", host: done.host ?? "", game });
  return done;
}

/** The maker at one seat, bots at all others. */
export function againstBots(
  game: string,
  name: string,
  bots: number,
  level: string,
  options: Record<string, unknown> = {},
): Promise<Done> {
  const seats: SeatPlan[] = [
    { kind: "open" },
    ...Array.from({ length: bots }, () => ({ kind: "bot", level })),
  ];
  return make({ game, name, seats, options: { ...options, seats: seats.length } });
}

export async function sit(table: string, name: string, game: string): Promise<Done> {
  const done = await ask<Done>("POST", `/api/tables/${table}/sit`, { name });
  keep(table, { token: done.token ?? "", game });
  return done;
}

export const verb = (table: string, name: string, body: unknown, token: string): Promise<Done> =>
  ask<Done>("POST", `/api/tables/${table}/${name}`, body, token);

export const tableNow = (table: string): Promise<TableNow> => ask("GET", `/api/tables/${table}`);

export const openTables = async (): Promise<ListedTable[]> =>
  (await ask<wire.OpenTables>("GET", "/api/tables")).tables;

/** The tables that the tokens of this browser open. */
export async function mine(): Promise<ListedTable[]> {
  const own = Object.values(tokens()).filter((kept) => kept.token);
  const unique = [...new Set(own.map((kept) => kept.token))].slice(0, 100);
  if (!unique.length) return [];
  const { tables } = await ask<wire.OwnTables>("POST", "/api/mine", { tokens: unique });
  for (const row of tables) {
    // a rematch is opened by the token of the game before
    if (!tokens()[row.table]) keep(row.table, { token: unique[row.token]!, game: row.game });
  }
  return tables;
}

export function momentOf(table: string, at: number, seat: number | null, token: string): Promise<wire.Point> {
  const eyes = seat === null ? "" : `&seat=${seat}`;
  return ask("GET", `/api/tables/${table}/at?at=${at}${eyes}`, undefined, token);
}

/** How the chances of the seats went in a finished game. */
export async function chancesOf(table: string, seat: number | null, token: string): Promise<ChancesPoint[]> {
  const eyes = seat === null ? "" : `?seat=${seat}`;
  return (await ask<wire.Chances>("GET", `/api/tables/${table}/chances${eyes}`, undefined, token)).points;
}

/** The events that somebody received in the course of a game. */
export async function storyOf(
  table: string,
  seat: number | null,
  lang: string,
  token: string,
): Promise<Told[]> {
  const eyes = seat === null ? "" : `&seat=${seat}`;
  const path = `/api/tables/${table}/story?lang=${lang}${eyes}`;
  return (await ask<wire.Story>("GET", path, undefined, token)).events;
}

export async function branch(table: string, at: number, token: string, game: string): Promise<Done> {
  return remember(await ask<Done>("POST", `/api/tables/${table}/branch`, { at }, token), game);
}

export async function importRecord(text: string): Promise<Done> {
  const game = (JSON.parse(text) as { game?: string }).game ?? "";
  return remember(await ask<Done>("POST", "/api/records", text), game);
}

export const verify = (table: string, token: string): Promise<Verified> =>
  ask("GET", `/api/tables/${table}/verify`, undefined, token);

/** The record as a file in the browser's downloads. */
export async function download(table: string, token: string): Promise<void> {
  const answer = await fetch(
    `/api/tables/${table}/record`,
    token ? { headers: { Authorization: `Bearer ${token}` } } : {},
  );
  if (!answer.ok) throw new Refusal("not_allowed", ((await answer.json()) as { message: string }).message);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `fabletop-${table}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}
