// The cards as the server has them: what is drawn on each, and its words in the language of the page.
import { ask } from "../../lib/api.ts";
import { lang, type Lang } from "../../lib/words.svelte.ts";
import type { Cards } from "../../lib/wire.ts";
import type { CardData, CardLine } from "./view.generated.ts";
import type { Amounts } from "./view.ts";

export type { CardLine } from "./view.generated.ts";

export interface CardFacts {
  id: string;
  title: string;
  text: string;
  creature: string;
  deck: string;
  cost: Amounts | null;
  lines: CardLine[];
}

export interface FinalFacts {
  id: string;
  title: string;
  text: string;
  steps: Amounts[];
}

let cards = $state.raw<ReadonlyMap<string, CardFacts>>(new Map());
let finals = $state.raw<ReadonlyMap<string, FinalFacts>>(new Map());
let spoken: Lang | null = null;

/** Load the cards in a language, once. */
export async function loadCards(): Promise<void> {
  const code = lang();
  if (spoken === code) return;
  const found = await ask<Cards>("GET", `/api/cards/fairy_school?lang=${code}`);
  const all = new Map<string, CardFacts>();
  const last = new Map<string, FinalFacts>();
  for (const { id, title, text, data: plain } of found.cards) {
    const data = plain as CardData;
    if (data.steps) last.set(id, { id, title, text, steps: data.steps });
    else {
      for (const name of data.names!) {
        all.set(name, {
          id,
          title,
          text,
          creature: data.creature!,
          deck: data.deck!,
          cost: data.cost!,
          lines: data.lines!,
        });
      }
    }
  }
  [cards, finals, spoken] = [all, last, code];
}

export function factsOf(card: string): CardFacts | undefined {
  return cards.get(card);
}

export function finalOf(name: string): FinalFacts | undefined {
  return finals.get(name);
}

/** Every printed card once, in the order of the list. */
export function allCards(): CardFacts[] {
  return [...cards].flatMap(([name, facts]) => (name === facts.id ? [facts] : []));
}
