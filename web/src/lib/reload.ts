// A part of the client failed to load: the server is down, or has a newer client. A failed load cannot be repeated (the
// browser does not ask for a style twice), so the page reloads as soon as the server answers.
const RETRY_EVERY = 1000;
const SHORTEST_INTERVAL = 10_000;
const KEY = "fabletop.reloaded";

let going = false;

export async function reloadWhenBack(): Promise<void> {
  if (going) return;
  going = true;
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  await pause(Math.min(SHORTEST_INTERVAL, Math.max(0, last + SHORTEST_INTERVAL - Date.now())));
  while (
    !(await fetch("/healthz").then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await pause(RETRY_EVERY);
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
