// The games the client can draw. All else knows a game by these parts only; they are loaded when a table needs them.
import type { Component, Snippet } from "svelte";
import type { Lang, Words } from "../lib/language.ts";
import type { Flight, Notice } from "../lib/stage.svelte.ts";
import type { TipText } from "../parts/tip.svelte.ts";
import type { Note } from "../lib/notify.ts";
import type { Table, Told } from "../lib/table.svelte.ts";
import { equinox } from "./equinox/entry.ts";
import { fairySchool } from "./fairy_school/entry.ts";

/** What pages without a table know of a game. It comes with the first page: loaders and names, no more. */
export interface GameEntry {
  /** The code of all that a table needs. */
  code(): Promise<{ default: () => Promise<GameParts> }>;
  words: Record<Lang, () => Words>;
  /** The rules in words. */
  rules: Record<Lang, () => Words>;
  /** Load the pictures and put them on the page. */
  hang(): Promise<void>;
  /** What the game looks like, for pages without a table; its pictures must hang. */
  scene(): Promise<{ default: Component }>;
  /** Settings that the home page offers, with what a first game begins with. */
  offered: Readonly<Record<string, string>>;
  /** What the numbers of its rules begin with. */
  rulesBegin: string;
  /** The words for a creature. */
  creatureKey(creature: string): string;
  /** The words for a value of one of the game's settings. */
  valueKey(value: string): string;
}

export const games: Record<string, GameEntry> = { equinox, fairy_school: fairySchool };

export interface GameParts {
  /** `side`: the log and the chat, for a board that has room for them. */
  Board: Component<{ table: Table; side?: Snippet }>;
  /** Does the board show log and chat itself? */
  keepsSide?: boolean;
  /** The same in words, to be read from top to bottom. */
  TextBoard: Component<{ table: Table }>;
  /** How a finished game was scored, step by step; loaded when a game is over. */
  scoring(): Promise<{ default: Component<{ table: Table }> }>;
  /** Does the result show how the chances went, and can it be kept as a picture? */
  judges?: boolean;
  /** Does the scoring need a wide page? */
  wideScoring?: boolean;
  /**
   * What an event moves, between spots that are on the page before it has landed. `final` is the server's view after the
   * whole update.
   */
  flights(event: Told, viewer: number | null, view: unknown, final: unknown): Flight[];
  /**
   * What an event changes, and nothing else: change `view`, a copy of what the page shows, as it is once the event has
   * landed. `final` is the server's view after the whole update, for what only rules can tell; `rest` are the events
   * of the update that come after this one. Without it, and where it returns false, the page changes at the end of
   * the update.
   */
  land?(view: unknown, event: Told, final: unknown, rest: readonly Told[]): unknown;
  /** The order in which the events of an update are shown, where it is not that in which they are told. */
  staged?(events: Told[]): Told[];
  /** An event that is a scene: milliseconds of each of its beats. The board draws them from `table.stage.scene`. */
  beats?(event: Told, viewer: number | null): readonly number[];
  /** How many times quicker than the others' steps one's own are shown. */
  ownPace?: number;
  /** What waits until the person has read it, because it concerns them. */
  notice?(event: Told, table: Table): Notice | null;
  /** A card, or its back: for notices and the inspector. */
  Card?: Component<{ card?: string | undefined }>;
  /** Does the table show cards in the inspector? Then it has a place beside the table where there is room. */
  inspects?: boolean;
  /** Where the guide tells each rule: `turn.b`, a paragraph of it, or `hoot`, a kind of card. */
  rules?: Readonly<Record<string, string>>;
  /** The creatures that a player cared for, for the player's own statistics. */
  favourites(view: unknown, seat: number): string[];
  /** The seats that have something to decide. */
  asked(view: unknown): number[];
  /** Events that begin a group of the log: the deeper the number, the smaller the group. */
  headings: Record<string, number>;
  /** Is this option shown on the board, so that the chooser need not show it? */
  onBoard(option: string, table: Table): boolean;
  /** The option that answers by doing nothing. */
  pass: string;
  /** Options that give something away: never the main button. */
  plain?: readonly string[];
  /** Keys that choose an option, and the option; `web.<game>.keys` says what each does. */
  keys: Record<string, string>;
  /** Events that the log prints loudly. */
  loud: readonly string[];
  /** Events that are heard. */
  notes: Record<string, Note>;
  /** The cards that a line of the log speaks of. */
  cardsOf(event: Told): string[];
  /** What a card is. */
  about(card: string): TipText;
  /** All cards, for the end of the rules, where a list of kinds does not say enough; loaded with them. */
  gallery?(): Promise<{ default: Component<{ fits: (text: string) => boolean; alone: boolean }> }>;
  /** The kinds of cards for the end of the rules: picture, name and what it does. */
  kinds(): { id: string; name: string; text: string }[];
}

/** What a table of this game needs; nothing where the client cannot draw it. */
export async function partsOf(game: string): Promise<GameParts | null> {
  const found = await games[game]?.code();
  return found ? found.default() : null;
}
