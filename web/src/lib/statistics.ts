// The finished games of this browser, kept here and nowhere else.
import type { TableNow } from "./wire.ts";

export interface Played {
  table: string;
  game: string;
  /** When it was noted, in milliseconds since 1970. */
  at: number;
  seats: number;
  /** The strongest bot at the table; empty among people. */
  level: string;
  /** 1 for a winner, else one more than the players with more points. */
  place: number;
  score: number;
  /** What the game calls favourites, such as creatures, by id. */
  favourites: string[];
}

const PLACE = "fabletop.statistics";
const MOST = 1000;

export function played(): Played[] {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "[]") as Played[];
  } catch {
    return [];
  }
}

/** Note how a game ended for one seat, once. `levels` of bots from weak to strong. */
export function noteResult(
  now: TableNow,
  seat: number,
  favourites: string[],
  levels: readonly string[],
): void {
  const all = played();
  if (!now.outcome || all.some((one) => one.table === now.table)) return;
  const { scores, winners } = now.outcome;
  const score = scores[seat] ?? 0;
  const bots = now.seats.filter((one) => one.kind === "bot").map((one) => levels.indexOf(one.level ?? ""));
  all.push({
    table: now.table,
    game: now.game,
    at: Date.now(),
    seats: scores.length,
    level: levels[Math.max(-1, ...bots)] ?? "",
    place: winners.includes(seat)
      ? 1
      : 1 + Math.max(winners.length, scores.filter((other) => other > score).length),
    score,
    favourites,
  });
  try {
    localStorage.setItem(PLACE, JSON.stringify(all.slice(-MOST)));
  } catch {
    // a browser that keeps nothing still plays
  }
}

export function forgetAll(): void {
  localStorage.removeItem(PLACE);
}

export interface Line {
  level: string;
  games: number;
  won: number;
  mean: number;
}

/** Games, victories and mean score against each level; people last. */
export function byLevel(games: Played[], levels: readonly string[]): Line[] {
  return [...levels, ""].flatMap((level) => {
    const some = games.filter((one) => one.level === level);
    if (!some.length) return [];
    const total = some.reduce((sum, one) => sum + one.score, 0);
    return [
      {
        level,
        games: some.length,
        won: some.filter((one) => one.place === 1).length,
        mean: total / some.length,
      },
    ];
  });
}

/** The favourites that occur most, most often first. */
export function favourites(games: Played[], most = 3): string[] {
  const counts = new Map<string, number>();
  for (const one of games) for (const name of one.favourites) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.entries()]
    .sort(([a, n], [b, m]) => m - n || a.localeCompare(b))
    .slice(0, most)
    .map(([name]) => name);
}

/** All of it as a file in the browser's downloads. */
export function exportAll(): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(played(), null, 1)], { type: "application/json" }),
  );
  link.download = "fabletop-statistics.json";
  link.click();
  URL.revokeObjectURL(link.href);
}
