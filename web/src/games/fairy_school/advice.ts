// What a hint proposes: all columns of a selection, a place for every drawn card of a plan.
import type { Table } from "../../lib/table.svelte.ts";

const isSpace = (action: string): boolean => /^(top|bottom)-\d$/.test(action);

/** The answers of a hint, the first one first. */
export function advised({ hint }: Table): string[] {
  const best = hint?.options[0];
  return best ? [best.action, ...(hint!.then ?? [])] : [];
}

/**
 * Where a hint lays cards, by space. Cards and spaces come by turns, but the card is left out where it is the one in
 * question or the last one, and both where only one space is left.
 */
export function plannedBy(
  answers: readonly string[],
  asked: string | undefined,
  drawn: readonly string[],
): Record<string, string> {
  const plan: Record<string, string> = {};
  let card = asked;
  for (const answer of answers) {
    if (isSpace(answer)) {
      const loose = drawn.filter((one) => !Object.values(plan).includes(one));
      const which = card ?? (loose.length === 1 ? loose[0] : undefined);
      if (which) plan[answer] = which;
      card = undefined;
    } else if (drawn.includes(answer)) card = answer;
  }
  return plan;
}
