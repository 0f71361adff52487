// A card in planning that follows the pointer until it is dropped on a space, or back on the row in front.
import { tips } from "../../parts/tip.svelte.ts";
import type { Sketch } from "./arrangement.svelte.ts";

export interface Dragged {
  card: string;
  x: number;
  y: number;
  space: string | null;
}

/** How far the pointer goes before a press becomes a drag. */
const FAR = 8;

function under(x: number, y: number, what: string): HTMLElement | undefined {
  const found = document.elementsFromPoint(x, y).find((node) => node.closest(what));
  return found?.closest<HTMLElement>(what) ?? undefined;
}

export function dragging(
  sketch: Sketch,
  card: string,
  event: PointerEvent,
  show: (now: Dragged | null) => void,
): void {
  if (!sketch.planning || event.button !== 0) return;
  const node = event.currentTarget as HTMLElement;
  let now: Dragged | null = null;
  const move = ({ clientX: x, clientY: y, pointerId }: PointerEvent): void => {
    if (!now && Math.hypot(x - event.clientX, y - event.clientY) < FAR) return;
    if (!now) {
      node.setPointerCapture(pointerId);
      tips.hide();
    }
    now = { card, x, y, space: under(x, y, "[data-space]")?.dataset["space"] ?? null };
    show(now);
  };
  const drop = ({ type, clientX: x, clientY: y }: PointerEvent): void => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", drop);
    removeEventListener("pointercancel", drop);
    show(null);
    if (!now) return;
    // the click that ends a drag chooses nothing
    const swallow = (click: Event): void => (click.stopImmediatePropagation(), click.preventDefault());
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, true));
    if (type !== "pointerup") return;
    if (now.space) sketch.lay(card, now.space);
    else if (under(x, y, "[data-near]")) sketch.takeBack(card);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", drop);
}
