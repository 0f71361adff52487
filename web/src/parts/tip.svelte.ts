// What a thing is: shown when it is pointed at, focused or pressed for long. One tip at a time.
import type { Attachment } from "svelte/attachments";

export interface TipText {
  title: string;
  lines: string[];
  /** A picture beside the words. */
  picture?: string;
  /** The card that it speaks of: the inspector shows it large. */
  card?: string;
  rule?: string;
}

/** Above the thing, beside it where a tip above would hide what one has to read, or in the inspector. */
export type Place = "above" | "beside" | "inspector";

interface Shown extends TipText {
  rect: DOMRect;
  node: Element;
  place: Place;
}

const HOVER = 320;
const PRESS = 480;
/** As long a pointer may take from a thing to the link in its tip. */
const CROSSING = 280;

class Tips {
  now = $state.raw<Shown | null>(null);
  /** The last card that was pointed at: the inspector keeps it. */
  inspected = $state.raw<TipText | null>(null);
  /** Is there an inspector that has a place of its own? Elsewhere it is shown only while a card is pointed at. */
  docked = $state(false);
  /** Did the focus come where it is by walking? One that is given back, as by a dialog that closes, asks for nothing. */
  walking = false;
  /** Was the last thing that the person did done by key? */
  keyboard = false;
  private timer = 0;

  show(node: Element, text: () => TipText | null, wait: number, place: Place): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const found = node.isConnected ? text() : null;
      this.drop();
      if (found) node.setAttribute("aria-describedby", place === "inspector" ? "inspector" : "tip");
      if (found?.card) this.inspected = found;
      this.now = found && { ...found, rect: node.getBoundingClientRect(), node, place };
    }, wait);
  }

  /** The pointer has left the thing; it may be on its way to the rule that the tip names. */
  leave(): void {
    clearTimeout(this.timer);
    if (!this.now?.rule || this.now.place === "inspector") return this.drop();
    this.timer = window.setTimeout(() => this.drop(), CROSSING);
  }

  /** The pointer is on the tip: it stays. */
  stay(): void {
    clearTimeout(this.timer);
  }

  /** The thing is no longer on the page, or the focus went elsewhere. */
  forget(node: Element): void {
    queueMicrotask(() => this.now?.node === node && this.drop());
  }

  hide(): void {
    clearTimeout(this.timer);
    this.drop();
  }

  /** What is about to be shown may still come. */
  private drop(): void {
    this.now?.node.removeAttribute("aria-describedby");
    this.now = null;
  }
}

export const tips = new Tips();
addEventListener(
  "keydown",
  (event) => {
    tips.walking = /^(Tab|Arrow.*)$/.test(event.key);
    tips.keyboard = true;
  },
  true,
);
addEventListener("pointerdown", () => (tips.keyboard = false), true);

export function tip(
  text: () => TipText | null,
  where: Place | (() => Place) = "above",
): Attachment<HTMLElement> {
  return (node) => {
    const show = (wait: number, said = text): void =>
      tips.show(node, said, wait, typeof where === "function" ? where() : where);
    let pressed = false;
    let finger = false;
    // a finger that touches what cannot be chosen now wants to know what it is
    const idle = (): boolean =>
      node.dataset["option"] === undefined &&
      (!(node instanceof HTMLButtonElement) || node.ariaDisabled === "true");
    const on = (kind: string, listen: (event: PointerEvent) => void): void =>
      node.addEventListener(kind, listen as EventListener);
    // not on entering: what slides under a pointer that rests was not pointed at
    let over = false;
    on("pointermove", (event) => {
      if (event.pointerType !== "mouse" || event.buttons || over) return;
      over = true;
      show(HOVER);
    });
    on("pointerleave", (event) => {
      over = false;
      if (event.pointerType === "mouse") queueMicrotask(() => tips.leave());
    });
    on("pointerdown", (event) => {
      tips.hide();
      // what is picked up or chosen is kept in the inspector
      const told = event.pointerType === "mouse" && tips.docked ? text() : null;
      if (told?.card) tips.inspected = told;
      pressed = false;
      finger = event.pointerType !== "mouse";
      if (finger) {
        show(PRESS, () => ((pressed = true), text()));
      }
    });
    on("pointerup", () => !pressed && tips.hide());
    on("pointercancel", () => tips.hide());
    // a long press reads; it does not choose
    node.addEventListener(
      "click",
      (event) => {
        if (pressed) {
          pressed = false;
          event.preventDefault();
          event.stopImmediatePropagation();
        } else if (finger && idle()) show(0);
        else tips.hide();
        finger = false;
      },
      true,
    );
    on(
      "contextmenu",
      (event) => (event as Event as PointerEvent).pointerType === "touch" && event.preventDefault(),
    );
    node.addEventListener("focus", () => tips.walking && node.matches(":focus-visible") && show(0));
    node.addEventListener("blur", () => tips.forget(node));
    return () => tips.forget(node);
  };
}
