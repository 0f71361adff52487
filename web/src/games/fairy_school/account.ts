// What everybody did, by phase and seat, out of the story that the server told: for looking at it again.
import type { Told } from "../../lib/table.svelte.ts";
import type { Amounts, Element } from "./view.ts";
import { ELEMENTS } from "./view.ts";

/** What a seat did: the event that shows it, the card or creature, and what it brought. */
export interface Deed {
  what: string;
  seat: number;
  card?: string;
  creature?: string;
  final?: string;
  /** Whose card it was. */
  owner?: number;
  column?: number;
  /** How many cubes of kindness. */
  count?: number;
  gain: Amounts;
  words: string;
}

/** A phase of a turn: what each seat did in it, in the order of the seats. */
export interface Chapter {
  phase: string;
  title: string;
  seats: { seat: number; deeds: Deed[] }[];
}

const PHASE: Record<string, string> = {
  dropped: "draft",
  kept: "draft",
  projects_given: "draft",
  goal_taken: "draft",
  final_chosen: "draft",
  placed: "plan",
  column_chosen: "select",
  activated: "activate",
  repeated: "activate",
  recalled: "activate",
  scout_placed: "activate",
  banished: "activate",
  kindness_got: "rest",
  studied: "study",
  realised: "realise",
  step_done: "realise",
  leader_gained: "realise",
  final_completed: "realise",
};

function amountsIn(event: Told): Amounts {
  return Object.fromEntries(ELEMENTS.map((element) => [element, (event[element] as number) || 0]));
}

function add(sum: Amounts, more: Amounts): void {
  for (const element of ELEMENTS) sum[element] = (sum[element] ?? 0) + (more[element] ?? 0);
}

/** The phases of a story in which somebody did something, the latest last. */
export function chapters(story: readonly Told[]): Chapter[] {
  const found: Chapter[] = [];
  let title = "";
  let now = null as Chapter | null;
  let active = new Map<number, Deed>();
  for (const event of story) {
    if (event.event === "turn_began" || event.event === "trimester_began") {
      title = event.line ?? "";
      now = null;
      continue;
    }
    const seat = event["seat"] as number | undefined;
    if (seat === undefined) continue;
    if (event.event === "gained") {
      const deed = active.get(seat);
      if (deed) add(deed.gain, amountsIn(event));
      continue;
    }
    const phase: string | undefined =
      event.event === "studied" && now?.phase === "activate" ? "activate" : PHASE[event.event];
    if (!phase) continue;
    if (!now || now.phase !== phase) {
      now = { phase, title, seats: [] };
      active = new Map();
      found.push(now);
    }
    const deed: Deed = { what: event.event, seat, gain: {}, words: event.line ?? "" };
    if (typeof event["card"] === "string") deed.card = event["card"];
    if (typeof event["creature"] === "string") deed.creature = event["creature"];
    if (typeof event["column"] === "number") deed.column = event["column"];
    if (typeof event["owner"] === "number") deed.owner = event["owner"];
    // the cubes are the giver's
    if (event.event === "kindness_got") deed.owner = event["giver"] as number;
    if (event.event === "leader_gained") deed.gain = { [event["element"] as Element]: 1 };
    if (event.event === "kindness_got") deed.count = event["count"] as number;
    if (typeof event["final"] === "string") deed.final = event["final"];
    const group = now.seats.find((one) => one.seat === seat);
    const cards = event["cards"] as string[] | undefined;
    if (cards) {
      const deeds = cards.map((card) => ({ ...deed, card }));
      if (group) group.deeds.push(...deeds);
      else now.seats.push({ seat, deeds });
      continue;
    }
    const same = group?.deeds.find((one) => one.count && one.owner === deed.owner);
    if (same) same.count! += deed.count!;
    else if (group) group.deeds.push(deed);
    else now.seats.push({ seat, deeds: [deed] });
    active.set(seat, deed);
  }
  return found;
}

/** Who used which of a seat's cards in the last activation. */
export function kindnessTo(seat: number, told: readonly Chapter[]): { card: string; giver: number }[] {
  const last = told.findLast(({ phase }) => phase === "activate");
  return (last?.seats ?? []).flatMap(({ seat: giver, deeds }) =>
    giver === seat
      ? []
      : deeds.flatMap(({ owner, card, what }) =>
          owner === seat && card && (what === "activated" || what === "repeated") ? [{ card, giver }] : [],
        ),
  );
}
