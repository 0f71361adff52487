// What is known of Equinox before a table needs it.
import type { GameEntry } from "../index.ts";

export const equinox: GameEntry = {
  code: () => import("./index.ts"),
  words: {
    en: () => import("words:en/equinox"),
    fr: () => import("words:fr/equinox"),
    de: () => import("words:de/equinox"),
  },
  rules: {
    en: () => import("words:en/guide_equinox"),
    fr: () => import("words:fr/guide_equinox"),
    de: () => import("words:de/guide_equinox"),
  },
  hang: async () => (await import("../../art/equinox.ts")).hang(),
  scene: () => import("./Scene.svelte"),
  offered: {},
  rulesBegin: "E-",
  creatureKey: (creature) => `equinox.creature.${creature}`,
  valueKey: (value) => `equinox.creature.${value}`,
};
