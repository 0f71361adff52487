// Where the focus goes for somebody who plays by key: on to what can be chosen next.
import { tick } from "svelte";

/** Was the last thing done by key? */
let keyed = false;
addEventListener("keydown", () => (keyed = true), true);
addEventListener("pointerdown", () => (keyed = false), true);

/** Does the focus come to an answer by itself? Then the question is read first, and not yet what would follow. */
export let arriving = false;

/** Go on from where the focus is, if it is there that one may have been left behind. */
export async function goOn(from: (now: Element) => boolean, asked: () => boolean): Promise<void> {
  await tick();
  const now = document.activeElement ?? document.body;
  const room = document.querySelector(".school");
  if (!keyed || !room || !from(now) || !asked()) return;
  const next =
    room.querySelector<HTMLElement>("[data-option]:not([disabled], [data-option=convert])") ??
    room.querySelector<HTMLElement>(".question button:not([disabled])");
  arriving = next?.closest(".answers") != null;
  next?.focus();
  arriving = false;
}
