// Sounds (synthesised, off by default) and the notification that it is your turn: from the page while it is open, by
// push while it is closed, where server and browser support that.
import { about, verb } from "./api.ts";
import { prefs } from "./prefs.svelte.ts";
import { tokens } from "./tokens.ts";

/** How high, and for how many seconds. */
export type Note = [number, number];

export const ASKED: Note = [660, 0.09];
let audio: AudioContext | undefined;

/** The partials of a wooden bar: how high over the note, how loud, and how long they sound. */
const PARTIALS = [
  [1, 0.14, 1],
  [3.9, 0.05, 0.35],
  [9.2, 0.02, 0.15],
] as const;

/** A soft stroke on a wooden bar. */
export function chime(note: Note | undefined): void {
  if (!prefs.sounds || !note) return;
  audio ??= new AudioContext();
  const [height, length] = note;
  const now = audio.currentTime;
  for (const [over, loudness, share] of PARTIALS) {
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    const end = now + (length + 0.35) * share;
    tone.frequency.value = height * over;
    loud.gain.setValueAtTime(0.0001, now);
    loud.gain.exponentialRampToValueAtTime(loudness, now + 0.006);
    loud.gain.exponentialRampToValueAtTime(0.0001, end);
    tone.connect(loud).connect(audio.destination);
    tone.start(now);
    tone.stop(end);
  }
}

const allowed = (): boolean => typeof Notification !== "undefined" && Notification.permission === "granted";

export function notifyTurn(table: string, text: string): void {
  if (!prefs.notify || !allowed()) return;
  const options = { body: text, tag: "turn", icon: "/icon.svg", data: { url: `/t/${table}` } };
  void navigator.serviceWorker
    ?.getRegistration()
    .then((found) => found?.showNotification("Fabletop", options));
}

/** Ask the browser whether notices may be shown; the preference follows the answer. */
export async function allowNotices(wanted: boolean): Promise<void> {
  prefs.notify =
    wanted && typeof Notification !== "undefined" && (await Notification.requestPermission()) === "granted";
  await Promise.all(Object.keys(tokens()).slice(0, 10).map(pushTurns));
  if (!prefs.notify) await (await subscription())?.unsubscribe().catch(() => false);
}

async function subscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker?.getRegistration();
  return (await worker?.pushManager?.getSubscription().catch(() => null)) ?? null;
}

/** Where this browser can be reached while the page is closed; nothing where that cannot be. */
async function endpoint(): Promise<string> {
  const { push } = await about();
  const worker = await navigator.serviceWorker?.getRegistration();
  if (!push || !allowed() || !worker?.pushManager) return "";
  const found =
    (await worker.pushManager.getSubscription()) ??
    (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: push }));
  return found.endpoint;
}

const told = new Map<string, string>();

/** Have the server push when it is the turn of this browser at a table, or no longer. Without push, the page notifies. */
export async function pushTurns(table: string): Promise<void> {
  const token = tokens()[table]?.token;
  if (!token || (!prefs.notify && !told.get(table))) return;
  try {
    const place = prefs.notify ? await endpoint() : "";
    if (place === (told.get(table) ?? "")) return;
    await verb(table, "push", { endpoint: place }, token);
    told.set(table, place);
  } catch {
    // no push service, or one that the server does not trust
  }
}
