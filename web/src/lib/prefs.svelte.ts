// What a person prefers, kept in this browser.
import { PREFS } from "./language.ts";

export type Speed = "slow" | "normal" | "fast" | "off";

export interface Prefs {
  name: string;
  lang: string;
  theme: "auto" | "light" | "dark";
  /** The pace at which what others do is shown. */
  speed: Speed;
  /** Which steps are asked about again. */
  confirm: "none" | "reveals" | "all";
  autopass: boolean;
  text: boolean;
  sounds: boolean;
  notify: boolean;
  level: string;
  bots: number;
  /** The settings of the last game against bots, by game. */
  settings: Record<string, Record<string, string>>;
}

const FIRST: Prefs = {
  name: "",
  lang: "",
  theme: "auto",
  speed: "normal",
  confirm: "none",
  autopass: true,
  text: false,
  sounds: false,
  notify: false,
  level: "gretel",
  bots: 3,
  settings: {},
};

function kept(): Prefs {
  try {
    return { ...FIRST, ...(JSON.parse(localStorage.getItem(PREFS) ?? "{}") as Partial<Prefs>) };
  } catch {
    return { ...FIRST };
  }
}

export const prefs = $state<Prefs>(kept());

/** Keep what changes, and show it. Called once, at the start. */
export function keepPrefs(): void {
  $effect.root(() => {
    $effect(() => {
      try {
        localStorage.setItem(PREFS, JSON.stringify(prefs));
      } catch {
        // a browser that keeps nothing still plays
      }
      document.documentElement.dataset["theme"] = prefs.theme;
    });
  });
}
