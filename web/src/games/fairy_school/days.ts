// Days to remember of one fairy, and the jury's sentence, out of the story of the year: only what is true of it.
import type { Told } from "../../lib/table.svelte.ts";
import { PAIRS } from "./facts.generated.ts";
import { ELEMENTS } from "./view.ts";

/** What happened to a fairy in one turn. */
interface Turn {
  trimester: number;
  turn: number;
  /** Who used which of her cards. */
  guests: Map<string, Set<number>>;
  cubes: number;
  givers: Set<number>;
  realised: string[];
  paired: string[];
  steps: number;
  finished: boolean;
  gained: number;
}

/** A day: when, what made it one, and the cards, seats or number that its words need. */
export interface Day {
  what: "finished" | "projects" | "loved" | "kindness" | "pair" | "steps" | "harvest" | "first";
  trimester: number;
  turn: number;
  cards: string[];
  creature?: string;
  seats: number[];
  count: number;
}

const MOST = 4;
const MANY_CUBES = 4;
const MANY_ELEMENTS = 12;

function turnsOf(story: readonly Told[], seat: number): Turn[] {
  const turns: Turn[] = [];
  const studied = new Set<string>();
  for (const event of story) {
    if (event.event === "turn_began")
      turns.push({
        trimester: event["trimester"] as number,
        turn: event["turn"] as number,
        guests: new Map(),
        cubes: 0,
        givers: new Set(),
        realised: [],
        paired: [],
        steps: 0,
        finished: false,
        gained: 0,
      });
    const now = turns.at(-1);
    if (!now) continue;
    const card = event["card"] as string;
    const whose = event["seat"] as number;
    if (["activated", "repeated"].includes(event.event) && event["owner"] === seat && whose !== seat)
      now.guests.set(card, (now.guests.get(card) ?? new Set()).add(whose));
    if (whose !== seat) continue;
    switch (event.event) {
      case "kindness_got":
        now.cubes += event["count"] as number;
        now.givers.add(event["giver"] as number);
        break;
      case "realised":
        now.realised.push(card);
        break;
      case "studied": {
        const creature = event["creature"] as string;
        studied.add(creature);
        const pair = PAIRS.find(([one, other]) => one === creature || other === creature);
        if (pair && studied.has(pair[0]) && studied.has(pair[1])) now.paired.push(creature);
        break;
      }
      case "step_done":
        now.steps += 1;
        break;
      case "final_completed":
        now.finished = true;
        break;
      case "gained":
        for (const element of ELEMENTS) now.gained += (event[element] as number) || 0;
    }
  }
  return turns;
}

/** What makes a turn one to remember, from the greatest thing to the least; each is told at most once a year. */
const REASONS: readonly [Day["what"], (turn: Turn) => number][] = [
  ["finished", (turn) => Number(turn.finished)],
  ["projects", (turn) => (turn.realised.length > 1 ? turn.realised.length : 0)],
  ["loved", (turn) => Math.max(0, ...[...turn.guests.values()].map((guests) => guests.size)) - 1],
  ["steps", (turn) => (turn.steps > 1 ? turn.steps : 0)],
  ["kindness", (turn) => (turn.cubes >= MANY_CUBES ? turn.cubes : 0)],
  ["pair", (turn) => turn.paired.length],
  ["harvest", (turn) => (turn.gained >= MANY_ELEMENTS ? turn.gained : 0)],
  ["first", (turn) => Math.min(1, turn.realised.length)],
];

/** The days to remember, at most four, in the order of the year. */
export function daysOf(story: readonly Told[], seat: number): Day[] {
  const turns = turnsOf(story, seat);
  const found: [number, Day][] = [];
  for (const [what, weigh] of REASONS) {
    // the first turn of all that are equally good
    const at = turns.reduce(
      (best, turn, i) => (weigh(turn) > (best < 0 ? 0 : weigh(turns[best]!)) ? i : best),
      -1,
    );
    if (at < 0 || found.length === MOST || found.some(([other]) => other === at)) continue;
    const turn = turns[at]!;
    const [loved, guests] = [...turn.guests].reduce<[string, Set<number>]>(
      (most, one) => (one[1].size > most[1].size ? one : most),
      ["", new Set()],
    );
    const day: Day = {
      what,
      trimester: turn.trimester,
      turn: turn.turn,
      cards: what === "loved" ? [loved] : turn.realised,
      seats: [...(what === "loved" ? guests : turn.givers)].sort(),
      count: weigh(turn),
    };
    if (turn.paired[0]) day.creature = turn.paired[0];
    found.push([at, day]);
  }
  return found.sort(([a], [b]) => a - b).map(([, day]) => day);
}

/** How often the others used each card of a fairy, the most used first. */
export function lovedCards(story: readonly Told[], seat: number): [card: string, times: number][] {
  const times = new Map<string, number>();
  for (const event of story)
    if (
      ["activated", "repeated"].includes(event.event) &&
      event["owner"] === seat &&
      event["seat"] !== seat &&
      typeof event["card"] === "string"
    )
      times.set(event["card"], (times.get(event["card"]) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1]);
}

/** What the school adds up for a fairy. */
export interface Entry {
  seat: number;
  kindness: number;
  projects: number;
  steps: number;
  creatures: number;
  elements: number;
  total: number;
  report: string | null;
}

/** The jury's sentence: what this fairy did more of than anybody else, or at least as much. */
export function jury(
  entry: Entry,
  all: readonly Entry[],
  finished: boolean,
  gave: readonly number[],
): "kindness" | "steps" | "creatures" | "projects" | "gave" | "elements" | "rest" {
  const most = (part: "kindness" | "projects" | "creatures" | "elements"): boolean =>
    entry[part] > 0 && all.every((other) => other[part] <= entry[part]);
  if (most("kindness")) return "kindness";
  if (finished) return "steps";
  if (most("creatures")) return "creatures";
  if (most("projects")) return "projects";
  if (gave[entry.seat]! > 0 && Math.max(...gave) === gave[entry.seat]) return "gave";
  return most("elements") ? "elements" : "rest";
}
