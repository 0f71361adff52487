// What each event of Fairy School moves over the table.
import type { Flight } from "../../lib/stage.svelte.ts";
import type { Told } from "../../lib/table.svelte.ts";

export function flights(event: Told): Flight[] {
  const seat = event["seat"] as number;
  const card = event["card"] as string | undefined;
  const fly = (from: string, to: string, which = card): Flight => ({
    from,
    to,
    thing: { kind: "card", ...(which === undefined ? {} : { card: which }) },
  });
  switch (event.event) {
    case "recalled":
      return [fly(`discard-${seat}|seat-${seat}`, `near-${card}|seat-${seat}`)];
    case "scout_placed":
      return [fly(`pile-${seat}|seat-${seat}`, `near-${card}|seat-${seat}`)];
    case "realised":
      return [fly(`project-${card}|seat-${seat}`, `pile-${seat}|seat-${seat}`)];
    case "drew": {
      const cards = event["cards"] as string[] | undefined;
      return (cards ?? [])
        .slice(0, 6)
        .map((drawn) => fly(`pile-${seat}|seat-${seat}`, `near-${drawn}|seat-${seat}`, drawn));
    }
    default:
      return [];
  }
}

export function cardsOf(event: Told): string[] {
  return [event["card"], ...((event["cards"] as string[] | undefined) ?? [])].filter(
    (card): card is string => typeof card === "string",
  );
}
