// Fairy School in the words of the page. What the server says (questions, answers, the log) comes in words already.
import type { Table } from "../../lib/table.svelte.ts";
import { figure, listed, t } from "../../lib/words.svelte.ts";
import type { Place, TipText } from "../../parts/tip.svelte.ts";
import { advised } from "./advice.ts";
import type { Sketch } from "./arrangement.svelte.ts";
import { factsOf, finalOf, type CardLine } from "./cards.svelte.ts";
import type { Exchange } from "./view.generated.ts";
import { amountsOf, type Amounts, type Player } from "./view.ts";

export const own = (key: string, values: Record<string, string | number> = {}): string =>
  t(`table_fairy_school.${key}`, values);

const upper = (text: string): string => `${text[0]?.toUpperCase() ?? ""}${text.slice(1)}`;

export const creatureName = (creature: string): string =>
  upper(t(`cards.creature.${creature.replace("-", "_")}`));
export const elementName = (element: string, count = 1): string =>
  element === "any" ? own("any") : t(`cards.${count === 1 ? "element" : "elements"}.${element}`);

/** "Phoenix 88": a card in a sentence. */
export function cardName(card: string): string {
  const facts = factsOf(card);
  return facts ? `${creatureName(facts.creature)} ${facts.id}` : card;
}

/** "2 earth and 1 fire"; where there is none of anything, "free", or another word. */
export function amountsWords(amounts: Amounts, none = t("cards.phrase.free")): string {
  const parts = amountsOf(amounts).map(
    ([element, count]) => `${figure(count)} ${elementName(element, count)}`,
  );
  return parts.length ? listed(parts) : none;
}

export const exchangeWords = ({ given, made }: Exchange): string =>
  own("exchange_words", { given: amountsWords(given), made: elementName(made) });

/** What a line does, in few words beside its symbols; its whole text is told where the card is. */
export function lineWords({ special, count, up_to, text }: CardLine): string {
  return special ? own(`brief_${special}${up_to ? "_up_to" : ""}`, { count }) : text;
}

/** Sentences and words as one text to listen to. */
export const spoken = (...parts: (string | undefined)[]): string =>
  parts
    .filter(Boolean)
    .map((part) => part!.replace(/\.$/, ""))
    .join(". ");

/** What a card is, for tips and for those who listen. */
export function aboutCard(card: string, more: string[] = []): TipText {
  const final = finalOf(card);
  if (final) return { title: final.title, lines: [...final.text.split("\n"), ...more], rule: "F-7.2" };
  const facts = factsOf(card);
  if (!facts) return { title: card, lines: more };
  const lines = [facts.text];
  if (facts.cost) lines.push(own("costs", { cost: amountsWords(facts.cost) }));
  return { title: cardName(card), lines: [...lines, ...more], card, rule: "F-6.1" };
}

/** Where a card is told about: a desk has a place for it beside the table. */
export const closeup = (): Place => (matchMedia("(min-width: 1100px)").matches ? "inspector" : "above");

/** Where a hint lays the drawn cards. */
export const placesOf = ({ advice }: Sketch): string[] =>
  Object.entries(advice).map(([space, card]) => {
    const [row, place] = space.split("-");
    return own("hint_place", { card: cardName(card), space: own(`row_${row}`), place: place! });
  });

/** What a hint proposes: a card by its name, or all columns. */
export function adviceWords(table: Table): string {
  const answers = advised(table);
  const columns = answers.filter((one) => one.startsWith("column-"));
  if (table.choice?.kind === "select" && columns.length)
    return listed(columns.map((one) => table.labelOf(one)));
  const best = answers[0] ?? "";
  return factsOf(best) ? cardName(best) : table.labelOf(best);
}

export function aboutPlayer(player: Player, name: string, bot = ""): TipText {
  return {
    title: name,
    lines: [
      ...(bot ? [bot] : []),
      own("stock", { amounts: amountsWords(player.elements, listed([])) }),
      own("cubes_left", { count: player.cubes }),
      own("kindness_count", { count: player.kindness }),
      own("studied_count", { count: player.studied.length }),
      own("realised_count", { count: player.realised.length }),
      own("pile_counts", { pile: player.pile.count, discard: player.discard.length }),
    ],
  };
}
