// Where the options of a question are shown: on the table, in the projects, or as answers of the question itself.
import { factsOf } from "./cards.svelte.ts";
import type { View } from "./view.ts";

/** Questions that are answered with a card of a picker, not with one that lies on the table. */
const PICKED = new Set(["recall", "scout", "goal"]);

export function isOnTable(option: string, kind: string, view: View): boolean {
  if (option === "convert") return true;
  if (/^(top|bottom|column)-\d$/.test(option)) return true;
  if (option === "step") return false;
  if (factsOf(option)) return !PICKED.has(kind) && view.viewer !== null;
  return false;
}
