// The tables of this browser and the tokens that open them. A token never stands in an address that others see: a
// private link carries it after the #, which browsers do not send, and it is taken out of the address at once.
export interface Kept {
  token: string;
  host: string;
  game: string;
  at: number;
}

const PLACE = "fabletop.tables";
const MOST = 60;

export function tokens(): Record<string, Kept> {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Record<string, Kept>;
  } catch {
    return {};
  }
}

export function tokenOf(table: string): Kept | undefined {
  return tokens()[table];
}

export function keep(table: string, kept: Partial<Kept>): void {
  const all = tokens();
  all[table] = { token: "", host: "", game: "", ...all[table], ...kept, at: Date.now() };
  const newest = Object.entries(all).sort(([, a], [, b]) => b.at - a.at);
  localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(newest.slice(0, MOST))));
}

export function forget(table: string): void {
  const others = Object.entries(tokens()).filter(([name]) => name !== table);
  localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(others)));
}

/** The token in the address of a private link, taken out of the address. */
export function takeFromAddress(table: string): void {
  const found = /^#token=([A-Za-z0-9_-]{16,64})$/.exec(location.hash);
  if (!found) return;
  keep(table, { token: found[1]! });
  history.replaceState(null, "", location.pathname);
}

export function privateLink(table: string, token: string): string {
  return `${location.origin}/t/${table}#token=${token}`;
}

export function sharedLink(table: string): string {
  return `${location.origin}/t/${table}`;
}
