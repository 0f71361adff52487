// The great moments of Equinox: an elimination is a scene, and what is done to a person waits until they have read it.
import type { Notice } from "../../lib/stage.svelte.ts";
import type { Table, Told } from "../../lib/table.svelte.ts";
import { t } from "../../lib/words.svelte.ts";
import { COUNTED, VICTORY } from "./scoring.ts";
import { kindName, own } from "./speech.ts";
import { columnOf, standings, type View } from "./view.ts";

/** The parts of an elimination: all strengths swell, the lowest stands alone, its column folds, the banner. */
export const PULSE = 0;
export const ALONE = 1;
export const FOLD = 2;
export const BANNER = 3;
const ELIMINATION = [600, 500, 550, 850];
/** After the flights of a secret bet that is turned over. */
const REVEALED = [400];
const BEATS: Readonly<Record<string, readonly number[]>> = {
  eliminated: ELIMINATION,
  revealed: REVEALED,
  exposed: REVEALED,
  scored: COUNTED,
  won: VICTORY,
};
const NONE: readonly number[] = [];

export function beats(event: Told): readonly number[] {
  return BEATS[event.event] ?? NONE;
}

export interface Turned {
  card: string;
  line: string;
  /** Has it arrived in the middle of the table? */
  seen: boolean;
}

/** The secret bet that is being turned over in the middle of the table. */
export function turnedOver(table: Table): Turned | null {
  const event = table.stage.scene?.event;
  if (!event || !["revealed", "exposed"].includes(event.event)) return null;
  return {
    card: event["card"] as string,
    line: event.line ?? "",
    seen: table.stage.arrived.length > 0,
  };
}

/** What a column takes with it: who had bet on it, and for how much. */
export function lost(view: View, creature: string): { seat: number; total: number }[] {
  const column = columnOf(view, creature);
  return column ? standings(column) : [];
}

/** Whose power each event is that is done to somebody else. */
const DONE_TO: Record<string, string> = {
  set_aside: "stag",
  asked_for: "hoot",
  kept_card: "goatman",
};

export function notice(event: Told, table: Table): Notice | null {
  const me = table.viewer;
  if (me === null || table.now?.status !== "playing") return null;
  const power = DONE_TO[event.event];
  if (power && event["target"] === me)
    return {
      seat: event["seat"] as number,
      title: kindName(power),
      // its words speak to whoever uses it
      lines: [event.line ?? "", own("power_says", { text: t(`equinox.power.${power}`) })],
      picture: power,
    };
  if (event.event !== "eliminated") return null;
  const creature = event["creature"] as string;
  const mine = lost(table.view as View, creature).find(({ seat }) => seat === me);
  if (!mine) return null;
  return {
    title: own("goes_home", { creature: kindName(creature) }),
    lines: [own("you_lose", { count: mine.total, points: mine.total })],
    picture: creature,
  };
}
