// What is known of Equinox before a table needs it.
import type { GameEntry } from "../index.ts";

export const equinox: GameEntry = {
  code: () => import("./index.ts"),
  words: {
    en: () => import("words:en/equinox,guide_equinox"),
    fr: () => import("words:fr/equinox,guide_equinox"),
    de: () => import("words:de/equinox,guide_equinox"),
  },
  hang: async () => (await import("../../art/equinox.ts")).hang(),
  scene: () => import("./Scene.svelte"),
  offered: {},
  rulesBegin: "E-",
  creatureKey: (creature) => `equinox.creature.${creature}`,
  valueKey: (value) => `equinox.creature.${value}`,
};
