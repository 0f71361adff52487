// The client itself, in the language that is wanted.
import { mount } from "svelte";
import App from "./App.svelte";
import { keepPrefs } from "./lib/prefs.svelte.ts";
import { speak, wanted } from "./lib/words.svelte.ts";

export async function open(place: HTMLElement): Promise<void> {
  keepPrefs();
  await speak(wanted());
  place.replaceChildren();
  mount(App, { target: place });
  if (
    location.protocol === "https:" ||
    location.hostname === "localhost" ||
    location.hostname === "127.0.0.1"
  ) {
    void navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
  }
}
