// What a viewer of Fairy School sees, and how it is read.

export const ELEMENTS = ["earth", "plant", "fire", "water", "air"] as const;
export type Element = (typeof ELEMENTS)[number];
export type Amounts = Partial<Record<Element, number>>;

export interface Player {
  seat: number;
  set: string | null;
  elements: Record<Element, number>;
  cubes: number;
  kindness: number;
  kindness_from: number[];
  studied: string[];
  forest: { top: (string | null)[]; bottom: (string | null)[] };
  personal: string[];
  shared: string[];
  discard: string[];
  pile: { count: number; top: string[]; among: string[] };
  drawn: { count: number; sure: string[] } | null;
  hand: number;
  projects: string[];
  realised: string[];
  banished: string[];
  final: string | null;
  steps: number;
}

export interface Flow {
  seat: number;
  question: string;
  card: string | null;
  line: number;
  columns: number[];
  owed: Record<Element, number>;
  given: Record<Element, number>;
}

export interface Own {
  hand: string[];
  pick: string | null;
  picks: string[];
  drawn: string[];
  looked: string[];
  used: [string, number][];
}

export interface View {
  options: { seats: number; setup: string; length: string; wider: boolean };
  trimester: number;
  turn: number;
  turns: number;
  phase: string;
  together: boolean;
  waiting: number[];
  reach: number[][];
  common: string[];
  finals: string[];
  draft: { round: number; size: number; to: "left" | "right" } | null;
  ended: string | null;
  players: Player[];
  viewer: number | null;
  own: Own | null;
  flow: Flow | null;
}

/** The price of each column, as printed between the rows of the forest board; the third is free (F-1.5). */
export const COLUMNS: readonly (Element | null)[] = ["earth", "plant", null, "fire", "water"];

/** The six pairs of the creature board, with the bonus printed between the two (F-1.6). */
export const PAIRS: readonly [string, string, Element | "any"][] = [
  ["unicorn", "gnome", "earth"],
  ["siren", "sea_serpent", "water"],
  ["sylvide", "elf", "plant"],
  ["dragon", "phoenix", "fire"],
  ["sphinx", "salamander", "any"],
  ["griffin", "cockatrice", "air"],
];

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
  for (const [card, times] of own?.used ?? []) found[card] = times;
  return found;
}
