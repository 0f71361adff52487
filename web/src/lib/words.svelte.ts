// Words in three languages. Keys are file, table, key: `t("web.home.play")`; `{name}` is filled in.
import { games } from "../games/index.ts";
import { COMMON, wantedOf, type Lang, type Words } from "./language.ts";
import { prefs } from "./prefs.svelte.ts";

export { LANGUAGES, type Lang } from "./language.ts";

type Tree = { [key: string]: string | Tree };

let tree = $state.raw<Tree>({});
let spoken = $state<Lang>("en");
const learned = new Set<Record<Lang, () => Words>>();

export function lang(): Lang {
  return spoken;
}

/** The language that is preferred, or the browser's, where we have it. */
export const wanted = (): Lang => wantedOf(prefs.lang);

/** Load the words of a language, and of the games that are already on the table. */
export async function speak(code: Lang): Promise<void> {
  const parts = await Promise.all([COMMON[code](), ...[...learned].map((words) => words[code]())]);
  tree = Object.assign({}, ...parts.map((part) => part.default)) as Tree;
  spoken = code;
  document.documentElement.lang = code;
  // the service worker speaks it too
  if ("caches" in globalThis)
    void caches
      .open("fabletop-spoken")
      .then((kept) => kept.put("/spoken", new Response(code)))
      .catch(() => undefined);
}

/** Load the words of a game, once. */
export const learn = (game: string): Promise<void> => add(games[game]?.words);

/** Load its rules in words, once. */
export const learnRules = (game: string): Promise<void> => add(games[game]?.rules);

async function add(words: Record<Lang, () => Words> | undefined): Promise<void> {
  if (!words || learned.has(words)) return;
  const part = await words[spoken]();
  learned.add(words);
  tree = { ...tree, ...(part.default as Tree) };
}

const plurals = (): Intl.PluralRules => new Intl.PluralRules(spoken);

function find(key: string): string | Tree | undefined {
  let node: string | Tree | undefined = tree;
  for (const part of key.split(".")) {
    if (typeof node !== "object") return undefined;
    node = node[part];
  }
  return node;
}

export function has(key: string): boolean {
  return typeof find(key) === "string";
}

/**
 * The words behind a key. With `count` 1 the key `…_one` is preferred; so it is with what the language counts as one
 * (French 0 and 1½), if the text names the number.
 */
export function t(key: string, values: Record<string, string | number> = {}): string {
  const count = values["count"];
  const one = typeof count === "number" ? find(`${key}_one`) : undefined;
  const single =
    typeof one === "string" &&
    (count === 1 || (/\{(count|points)\}/.test(one) && plurals().select(Number(count)) === "one"));
  const text = single ? one : find(key);
  if (typeof text !== "string") return key;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The name of a game; of one without words its id, made readable. */
export function titleOf(game: string): string {
  const key = `web.${game}.title`;
  return has(key) ? t(key) : game.replace(/_/g, " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** What the server refused, in its own words, which are in our language, as a sentence. */
export function refusal(message: string): string {
  return message && `${message[0]!.toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? "" : "."}`;
}

/** A table of words, in the order of its file. */
export function entries(key: string): [string, string | Tree][] {
  const node = find(key);
  return typeof node === "object" ? Object.entries(node) : [];
}

/** A list in words: a, b and c. */
export function listed(words: string[]): string {
  if (words.length < 2) return words[0] ?? t("common.list.none");
  return t("common.list.and", { first: words.slice(0, -1).join(", "), last: words.at(-1)! });
}

/** Points and other numbers as the language writes them. */
export function figure(value: number): string {
  return new Intl.NumberFormat(spoken, { maximumFractionDigits: 1 }).format(value);
}
