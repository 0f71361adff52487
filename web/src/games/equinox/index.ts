// Equinox for the table.
import type { Table } from "../../lib/table.svelte.ts";
import type { Note } from "../../lib/notify.ts";
import { entries, learn, t } from "../../lib/words.svelte.ts";
import type { GameParts } from "../index.ts";
import Board from "./Board.svelte";
import Card from "./Card.svelte";
import TextBoard from "./TextBoard.svelte";
import { cardsOf, flights } from "./flights.ts";
import { land } from "./landing.ts";
import { RULES } from "./guide.ts";
import { beats, notice } from "./moments.ts";
import { lowestFirst } from "./scoring.ts";
import { aboutCard } from "./speech.ts";
import type { View } from "./view.ts";

const WORDS = new Set(["pass", "use", "reveal"]);

const NOTES: Record<string, Note> = {
  played: [330, 0.05],
  chameleon_played: [392, 0.05],
  predicted: [523, 0.06],
  placed_pebble: [523, 0.06],
  eliminated: [147, 0.3],
  won: [784, 0.4],
};

const kinds = () =>
  [...entries("equinox.creature"), ...entries("equinox.card")].map(([id, name]) => ({
    id,
    name: String(name),
    text: t(`equinox.power.${id}`),
  }));

/** All but words can be pointed at: cards in the hand, cells, columns, seats, pebbles. */
function onBoard(option: string, table: Table): boolean {
  return !WORDS.has(option) && !(option === "secret" && table.viewer === null);
}

export default async function equinox(): Promise<GameParts> {
  // the table can be used first, then it has its pictures
  const pictures = import("../../art/equinox.ts");
  requestAnimationFrame(() =>
    requestAnimationFrame(() => setTimeout(() => void pictures.then(({ hang }) => hang()))),
  );
  await learn("equinox");
  return {
    Board,
    TextBoard,
    scoring: () => import("./Scoring.svelte"),
    flights,
    land,
    judges: true,
    staged: lowestFirst,
    beats,
    notice,
    Card,
    inspects: true,
    rules: RULES,
    cardsOf,
    onBoard,
    about: aboutCard,
    favourites: (view, seat) =>
      (view as View).columns
        .filter(
          ({ cells, champion }) => champion.includes(seat) || cells.some((cell) => cell.pebble === seat),
        )
        .map(({ creature }) => creature),
    asked: (view) => (view as View).waiting_for,
    pass: "pass",
    plain: ["reveal"],
    keys: { p: "pass", y: "use" },
    headings: { round_began: 1, turn_began: 2 },
    loud: ["eliminated", "won"],
    notes: NOTES,
    kinds,
  };
}
