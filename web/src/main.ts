// The first file of the client, and small: the words of the right language and all the rest come at the same time.
import "./app.css";
import { reloadWhenBack } from "./lib/reload.ts";
import { prefetch } from "./lib/prefetch.ts";
import { COMMON, wantedAtFirst } from "./lib/language.ts";

addEventListener("vite:preloadError", () => void reloadWhenBack());
prefetch();
void open();

// no await at the top level: the client imports from this file and would wait for its end
async function open(): Promise<void> {
  const words = COMMON[wantedAtFirst()]();
  if (location.pathname === "/") void import("./pages/Home.svelte");
  const [client] = await Promise.all([import("./client.ts"), words]);
  // the script does not wait for the end of the page
  if (document.readyState === "loading")
    await new Promise((read) => addEventListener("DOMContentLoaded", read, { once: true }));
  await client.open(document.getElementById("app")!);
}
