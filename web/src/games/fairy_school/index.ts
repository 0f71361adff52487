// Fairy School for the table.
import { hang } from "../../art/fairy_school.ts";
import type { Note } from "../../lib/notify.ts";
import { learn } from "../../lib/words.svelte.ts";
import type { GameParts } from "../index.ts";
import Board from "./Board.svelte";
import Card from "./Card.svelte";
import TextBoard from "./TextBoard.svelte";
import { loadCards } from "./cards.svelte.ts";
import { beats, cardsOf, flights, land, staged } from "./flights.ts";
import { RULES } from "./guide.ts";
import { isOnTable } from "./options.ts";
import type { View } from "./view.ts";
import { aboutCard } from "./words.ts";

const NOTES: Record<string, Note> = {
  placed: [330, 0.04],
  activated: [392, 0.05],
  kindness_got: [659, 0.12],
  studied: [523, 0.1],
  realised: [587, 0.15],
  won: [784, 0.4],
};

export default async function fairySchool(): Promise<GameParts> {
  hang();
  await learn("fairy_school");
  await loadCards();
  return {
    Board,
    keepsSide: true,
    TextBoard,
    scoring: () => import("./Scoring.svelte"),
    wideScoring: true,
    flights,
    staged,
    land: (view, event) => land(view as View, event),
    beats,
    ownPace: 1.7,
    Card,
    cardsOf,
    onBoard: (option, table) =>
      table.choice !== null && isOnTable(option, table.choice.kind, table.view as View),
    about: (card) => aboutCard(card),
    favourites: (view, seat) => (view as View).players[seat]?.studied ?? [],
    asked: (view) => (view as View).waiting,
    pass: "pass",
    keys: { d: "done", p: "pass", x: "convert" },
    headings: { trimester_began: 1, turn_began: 2 },
    loud: ["kindness_got", "realised", "won"],
    notes: NOTES,
    rules: RULES,
    gallery: () => import("./Gallery.svelte"),
    kinds: () => [],
  };
}
