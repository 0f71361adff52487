import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { keepPrefs } from "./lib/prefs.svelte.ts";
import { speak, wanted } from "./lib/words.svelte.ts";

keepPrefs();
await speak(wanted());
mount(App, { target: document.getElementById("app")! });
if (location.protocol === "https:" || location.hostname === "localhost" || location.hostname === "127.0.0.1") {
  void navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
}
