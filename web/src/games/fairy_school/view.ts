// What the client asks of a view of Fairy School. The types are generated (view.generated.ts) from
// fabletop/games/fairy_school/view_types.py.
import type { Own, View } from "./view.generated.ts";

export type { Own, Player, View } from "./view.generated.ts";

export const ELEMENTS = ["earth", "plant", "fire", "water", "air"] as const;
export type Element = (typeof ELEMENTS)[number];
export type Amounts = Partial<Record<Element, number>>;

/** What is printed on the boards. */
export { COLUMNS, PAIRS } from "./facts.generated.ts";

/** What makes up the score (F-8.1). */
export const PARTS = ["kindness", "projects", "steps", "creatures", "elements"] as const;

/** The steps of a turn that the header shows, and the phases of the view that belong to each. */
export const TURN: readonly [step: string, phases: readonly string[]][] = [
  ["plan", ["plan"]],
  ["select", ["select"]],
  ["activate", ["activate"]],
  ["study", ["study"]],
  ["realise", ["realise", "bonus", "spend"]],
];

export function amountsOf(amounts: Amounts | null | undefined): [Element, number][] {
  return ELEMENTS.flatMap((element) =>
    amounts?.[element] ? [[element, amounts[element]!] as [Element, number]] : [],
  );
}

/** The seats around a viewer: the one on the left, the one on the right, and the others, going left. */
export function around(view: View, seat: number): { left: number; right: number | null; far: number[] } {
  const n = view.players.length;
  const left = (seat + 1) % n;
  const right = n > 2 ? (seat + n - 1) % n : null;
  return {
    left,
    right,
    far: Array.from({ length: n }, (_, i) => (seat + i) % n).filter(
      (other) => other !== seat && other !== left && other !== right,
    ),
  };
}

/** How often this viewer has activated each card this turn. */
export function usedBy(own: Own | null): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [card, times] of own?.used ?? []) found[String(card)] = Number(times);
  return found;
}
