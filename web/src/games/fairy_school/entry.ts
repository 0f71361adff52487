// What is known of Fairy School before a table needs it.
import type { GameEntry } from "../index.ts";

export const fairySchool: GameEntry = {
  code: () => import("./index.ts"),
  words: {
    en: () => import("words:en/fairy_school,cards,table_fairy_school"),
    fr: () => import("words:fr/fairy_school,cards,table_fairy_school"),
    de: () => import("words:de/fairy_school,cards,table_fairy_school"),
  },
  rules: {
    en: () => import("words:en/guide_fairy_school"),
    fr: () => import("words:fr/guide_fairy_school"),
    de: () => import("words:de/guide_fairy_school"),
  },
  hang: async () => (await import("../../art/fairy_school.ts")).hang(),
  scene: () => import("./Scene.svelte"),
  offered: { setup: "beginners", length: "full" },
  rulesBegin: "F-",
  creatureKey: (creature) => `cards.creature.${creature}`,
  valueKey: (value) => `fairy_school.value.${value}`,
};
