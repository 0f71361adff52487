// What a game teaches, and how far this browser has come with it.
import { againstBots, ask, tableNow } from "../lib/api.ts";
import { prefs } from "../lib/prefs.svelte.ts";
import { forget, keep, tokenOf, tokens } from "../lib/tokens.ts";
import type { Lang } from "../lib/language.ts";
import type { CourseNow, Done, LessonNow, Taught } from "../lib/wire.ts";
import { t } from "../lib/words.svelte.ts";

/** What is kept of a game: lessons that were finished, the table of the one under way, tips that were read. */
interface Learned {
  done: string[];
  now: { lesson: string; table: string } | null;
  tips: string[];
  /** Coached games; the newest come last. */
  coached: string[];
}

interface Kept {
  games: Record<string, Learned>;
  /** Does the coach explain, and does it propose? */
  explains: boolean;
  proposes: boolean;
}

const PLACE = "fabletop.lessons";
const MOST_COACHED = 20;
const FRIENDLIEST = "thumbling";

function read(): Kept {
  const first: Kept = { games: {}, explains: true, proposes: true };
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<Kept>) };
  } catch {
    return first;
  }
}

const kept = $state<Kept>(read());
export const coach = {
  get explains(): boolean {
    return kept.explains;
  },
  set explains(on: boolean) {
    kept.explains = on;
    write();
  },
  get proposes(): boolean {
    return kept.proposes;
  },
  set proposes(on: boolean) {
    kept.proposes = on;
    write();
  },
};

function write(): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // a browser that keeps nothing still teaches
  }
}

function of(game: string): Learned {
  return kept.games[game] ?? { done: [], now: null, tips: [], coached: [] };
}

function note(game: string, change: Partial<Learned>): void {
  kept.games[game] = { ...of(game), ...change };
  write();
}

const courses = new Map<string, Promise<CourseNow>>();
export function courseOf(game: string, lang: Lang): Promise<CourseNow> {
  const path = `/api/lessons/${game}?lang=${lang}`;
  let found = courses.get(path);
  if (!found) {
    found = ask<CourseNow>("GET", path);
    found.catch(() => courses.delete(path));
    courses.set(path, found);
  }
  return found;
}

export const isDone = (game: string, lesson: string): boolean => of(game).done.includes(lesson);
/** Has this browser ever taken a lesson of the game, or begun one? */
export const hasBegun = (game: string): boolean => of(game).done.length > 0 || of(game).now !== null;
/** Is the game new to this browser: nothing played, nothing learned? */
export const isNewcomer = (game: string): boolean =>
  !hasBegun(game) && !Object.values(tokens()).some((one) => one.game === game);
export const nextOf = (course: CourseNow, lesson: string): LessonNow | undefined =>
  course.lessons[course.lessons.findIndex(({ id }) => id === lesson) + 1];
/** The first lesson that is not done; when all are, the first. */
export const firstOpen = (game: string, course: CourseNow): LessonNow | undefined =>
  course.lessons.find(({ id }) => !isDone(game, id)) ?? course.lessons[0];

/** The table of a lesson: the one that was left if it is still there, else a new one. */
export async function tableFor(game: string, lesson: string, fresh = false): Promise<string> {
  const { now } = of(game);
  if (!fresh && now?.lesson === lesson && tokenOf(now.table)) {
    const found = await tableNow(now.table).catch(() => null);
    if (found?.status === "playing") return now.table;
  }
  if (now) forget(now.table);
  const name = prefs.name.trim() || t("web.home.guest");
  const done = await ask<Done>("POST", "/api/lessons", { game, lesson, name });
  keep(done.table!, { token: done.token ?? "", host: done.host ?? "", game });
  note(game, { now: { lesson, table: done.table! } });
  return done.table!;
}

export function finish(game: string, lesson: string): void {
  if (!isDone(game, lesson)) note(game, { done: [...of(game).done, lesson] });
}

/** The lesson is left; its table is not kept among the games. */
export function leave(game: string): void {
  const { now } = of(game);
  if (now) forget(now.table);
  note(game, { now: null });
}

/** A first game against the friendliest bots, with a coach. */
export async function firstGame(game: string, lang: Lang): Promise<string> {
  const { first_game } = await courseOf(game, lang);
  const { seats, ...options } = first_game;
  const name = prefs.name.trim() || t("web.home.guest");
  const done = await againstBots(game, name, Number(seats) - 1, FRIENDLIEST, options);
  note(game, { coached: [...of(game).coached, done.table!].slice(-MOST_COACHED) });
  kept.explains = kept.proposes = true;
  write();
  return done.table!;
}

export const isCoached = (game: string, table: string): boolean => of(game).coached.includes(table);
export const wasTold = (game: string, tip: string): boolean => of(game).tips.includes(tip);
export function tell(game: string, tip: string): void {
  if (!wasTold(game, tip)) note(game, { tips: [...of(game).tips, tip] });
}

/** How far the learner is, after as many events as the page has shown; and the tips for those from `from` on. */
export function taughtAt(table: string, told: number, from = 0): Promise<Taught> {
  const path = `/api/tables/${table}/taught?told=${told}&from=${from}`;
  return ask("GET", path, undefined, tokenOf(table)?.token);
}
