// A little life: now and then one of the pictures blinks or breathes. Nothing runs in between.
import type { Attachment } from "svelte/attachments";

const FIRST = 2500;
const LEAST = 6000;
const SPREAD = 4000;
const BLINK = 150;
const BREATH = 3000;

/** `who` finds the pictures inside; while `still` says so, and for people who want no motion, nobody moves. */
export function alive(who: string, still: () => boolean): Attachment<HTMLElement> {
  return (node) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let timer = 0;
    const next = (wait: number): void => void (timer = window.setTimeout(move, wait));
    const move = (): void => {
      const all = document.hidden || still() ? [] : [...node.querySelectorAll(who)];
      const one = all[Math.floor(Math.random() * all.length)];
      const [way, time] =
        Math.random() < 0.6 ? (["blinks", BLINK] as const) : (["breathes", BREATH] as const);
      one?.classList.add(way);
      setTimeout(() => one?.classList.remove(way), time);
      next(LEAST + Math.random() * SPREAD);
    };
    next(FIRST);
    return () => clearTimeout(timer);
  };
}
