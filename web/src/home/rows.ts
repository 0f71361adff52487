// What the home page says of a table.
import type { ListedTable } from "../lib/api.ts";
import { t } from "../lib/words.svelte.ts";

export const mineIsAsked = (row: ListedTable): boolean => row.asked.some((seat) => row.seats[seat]?.mine);

export const othersOf = (row: ListedTable): { name: string; seat: number }[] =>
  row.seats.flatMap(({ name, mine }, seat) => (name && !mine ? [{ name, seat }] : []));

export const progressOf = (row: ListedTable): string =>
  row.status === "playing" && Object.keys(row.progress).length
    ? t(`web.${row.game}.progress`, row.progress)
    : t(`web.status.${row.status}`);
