// Sounds, off by default and made on the spot, and the browser's notice that it is somebody's turn.
import { prefs } from "./prefs.svelte.ts";

const NOTES: Record<string, [number, number]> = {
  asked: [660, 0.09],
  played: [330, 0.05],
  chameleon_played: [392, 0.05],
  predicted: [523, 0.06],
  placed_pebble: [523, 0.06],
  eliminated: [147, 0.3],
  won: [784, 0.4],
};
let audio: AudioContext | undefined;

export function chime(events: string[]): void {
  if (!prefs.sounds) return;
  const note = events.map((event) => NOTES[event]).find(Boolean);
  if (!note) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const loud = audio.createGain();
  tone.frequency.value = note[0];
  tone.type = "triangle";
  loud.gain.setValueAtTime(0.12, audio.currentTime);
  loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + note[1] + 0.15);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + note[1] + 0.2);
}

export function notifyTurn(table: string, text: string): void {
  if (!prefs.notify || typeof Notification === "undefined" || Notification.permission !== "granted") return;
  const options = { body: text, tag: table, icon: "/icon.svg", data: { url: `/t/${table}` } };
  void navigator.serviceWorker?.getRegistration().then((found) => found?.showNotification("Fabletop", options));
}

/** Ask the browser whether notices may be shown; the preference follows the answer. */
export async function allowNotices(wanted: boolean): Promise<void> {
  if (!wanted || typeof Notification === "undefined") {
    prefs.notify = false;
    return;
  }
  prefs.notify = (await Notification.requestPermission()) === "granted";
}
