// Where the options of a question are shown: on the table, over the forest, or as answers of the question itself.
import { factsOf } from "./cards.svelte.ts";
import type { View } from "./view.ts";

/** Questions that are answered in a picker over the forest, not with what lies on the table. */
const PICKED = new Set(["recall", "scout", "goal", "study", "study_any", "final", "drop"]);

export const picks = (kind: string): boolean => PICKED.has(kind);

export function isOnTable(option: string, kind: string, view: View): boolean {
  if (option === "convert") return true;
  if (/^(top|bottom|column)-\d$/.test(option)) return true;
  if (option === "step") return true;
  if (picks(kind)) return !["pass", "done", "cancel"].includes(option);
  return factsOf(option) !== undefined && view.viewer !== null;
}
