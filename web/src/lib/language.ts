// The three languages, and which of them is wanted. Knows nothing else, so that the words can be asked for before
// anything else of the client is there.
export const LANGUAGES = { en: "English", fr: "Français", de: "Deutsch" } as const;
export type Lang = keyof typeof LANGUAGES;
export type Words = Promise<{ default: unknown }>;

/** What everybody needs. Asked for twice it comes once: the browser keeps modules. */
export const COMMON: Record<Lang, () => Words> = {
  en: () => import("words:en"),
  fr: () => import("words:fr"),
  de: () => import("words:de"),
};

/** The language that is preferred, or the browser's, where we have it. */
export function wantedOf(preferred: string): Lang {
  for (const code of [preferred, ...(navigator.languages ?? [])]) {
    const short = code.slice(0, 2);
    if (short in LANGUAGES) return short as Lang;
  }
  return "en";
}

/** What a person prefers is kept here, as JSON. */
export const PREFS = "fabletop.prefs";

/** What is preferred, as far as it is needed before the client is there. */
export function preferredAtFirst(): { lang?: string; confirm?: string } {
  try {
    return JSON.parse(localStorage.getItem(PREFS) ?? "{}") as { lang?: string; confirm?: string };
  } catch {
    return {};
  }
}

/** The wanted language, before the preferences have been read. */
export const wantedAtFirst = (): Lang => wantedOf(preferredAtFirst().lang ?? "");
