// What each event of Fairy School moves over the table, and which are scenes. Others act unseen, so what they did comes all
// at once when a phase ends: it is told in the account, and only what concerns me flies.
import type { Flight } from "../../lib/stage.svelte.ts";
import type { Table, Told } from "../../lib/table.svelte.ts";
import { ELEMENTS, type Element, type View } from "./view.ts";

/** More than these would take too long. */
const MOST = 6;
const KINDNESS = 400;
const STUDIED = 900;

/** Where my last activation took place: there its elements come from. */
let source = "cubes";

/** Where the price of an event is laid. */
function priceGoes(event: Told): string | undefined {
  switch (event.event) {
    case "column_chosen":
      return `coin-${event["column"] as number}`;
    case "realised":
      return `project-${event["card"] as string}`;
    case "step_done":
      return "project-final";
    default:
      return undefined;
  }
}

const spotOfCard = (event: Told): string =>
  `shared-${event["owner"] as number}-${event["card"] as string}|near-${event["card"] as string}`;

/** What is paid goes to what it is paid for: that is told after it, but for the card of an activation. */
export function staged(events: Told[]): Told[] {
  return events.map((event, at) => {
    if (event.event !== "paid") return event;
    const mine = (one: Told): boolean => one["seat"] === event["seat"];
    const card = events
      .slice(0, at)
      .filter(mine)
      .findLast((one) => one.event === "activated" || one.event === "repeated");
    const goes =
      events
        .slice(at + 1)
        .filter(mine)
        .map(priceGoes)
        .find(Boolean) ??
      (card && spotOfCard(card));
    return goes ? { ...event, goes } : event;
  });
}

export function flights(event: Told, viewer: number | null): Flight[] {
  const seat = event["seat"] as number;
  const card = event["card"] as string | undefined;
  if (seat !== viewer) return [];
  const fly = (from: string, to: string, which = card): Flight => ({
    from,
    to,
    thing: { kind: "card", ...(which === undefined ? {} : { card: which }) },
  });
  const tokens = (from: string, to: (name: string) => string): Flight[] =>
    ELEMENTS.flatMap((name) =>
      Array.from({ length: (event[name] as number) || 0 }, () => ({
        from: from || `element-${name}`,
        to: to(name),
        thing: { kind: "token" as const, name },
      })),
    ).slice(0, MOST);
  switch (event.event) {
    case "picked":
      return [fly(`pack-${card}`, "picks")];
    case "hand_got": {
      const backs = (event["cards"] as string[]).map(() => "");
      return backs.flatMap(() => [
        { from: "pack-middle", to: "pack-to", thing: { kind: "card" as const } },
        { from: "pack-from", to: "pack-middle", thing: { kind: "card" as const } },
      ]);
    }
    case "activated":
    case "repeated":
      source = spotOfCard(event);
      return [{ from: "cubes|seat-0", to: source, thing: { kind: "token", name: "cube", seat } }];
    case "paid":
      return tokens("", () => (event["goes"] as string | undefined) ?? "ask");
    case "converted":
      return tokens("", () => `element-${event["made"] as string}`);
    case "studied":
      source = `creature-${event["creature"] as string}|ask`;
      return [];
    case "gained":
      return tokens(source, (name) => `element-${name}`);
    case "leader_gained":
      return [
        {
          from: "ask",
          to: `element-${event["element"] as string}`,
          thing: { kind: "token", name: event["element"] as string },
        },
      ];
    case "kindness_got":
      return Array.from({ length: Math.min(MOST, event["count"] as number) }, () => ({
        from: `shared-${seat}|seat-${event["giver"] as number}`,
        to: "kindness",
        thing: { kind: "token" as const, name: "cube", seat: event["giver"] as number },
      }));
    case "recalled":
      return [fly(`picker-${card}|discard-${seat}`, `near`)];
    case "scout_placed":
      return [fly(`picker-${card}|pile-${seat}`, `near`)];
    case "realised":
      return [fly(`project-${card}`, `pile-${seat}`)];
    case "drew":
      return ((event["cards"] as string[] | undefined) ?? [])
        .slice(0, MOST)
        .map((drawn) => fly(`pile-${seat}`, "near", drawn));
    default:
      return [];
  }
}

/** The moments that are celebrated: a neighbour was kind, a creature is stamped. */
export function beats(event: Told, viewer: number | null): readonly number[] {
  if (event["seat"] !== viewer) return [];
  if (event.event === "kindness_got") return [KINDNESS];
  return event.event === "studied" ? [STUDIED] : [];
}

/** The creature that is stamped at this moment, or nothing. */
export function stampedIn({ stage }: Table): string {
  const event = stage.scene?.event;
  return event?.event === "studied" ? (event["creature"] as string) : "";
}

/** My own cube lies on the card before its elements come. */
function landMine(view: View, event: Told): boolean {
  const [player, own] = [view.players[view.viewer!]!, view.own!];
  const change = (sign: 1 | -1): boolean => {
    for (const name of ELEMENTS) player.elements[name] += sign * ((event[name] as number) || 0);
    return true;
  };
  switch (event.event) {
    case "activated":
    case "repeated": {
      const used = own.used.find(([card]) => card === event["card"]);
      if (used) used[1] = Number(used[1]) + 1;
      else own.used.push([event["card"] as string, 1]);
      player.cubes -= 1;
      return true;
    }
    case "paid":
      return change(-1);
    case "converted":
      player.elements[event["made"] as Element] += 1;
      return change(-1);
    case "gained":
      return change(1);
    default:
      return false;
  }
}

/** The scale grows cube by cube, a creature is studied when the stamp is down; what others do changes at the end. */
export function land(view: View, event: Told): boolean {
  const player = view.players[event["seat"] as number];
  if (player && view.own && player.seat === view.viewer && landMine(view, event)) return true;
  if (event.event === "studied") return player!.studied.push(event["creature"] as string) > 0;
  if (event.event !== "kindness_got" || !player) return false;
  const [giver, count] = [event["giver"] as number, event["count"] as number];
  player.kindness += count;
  player.kindness_from[giver] = (player.kindness_from[giver] ?? 0) + count;
  return true;
}

export function cardsOf(event: Told): string[] {
  return [event["card"], ...((event["cards"] as string[] | undefined) ?? [])].filter(
    (card): card is string => typeof card === "string",
  );
}
