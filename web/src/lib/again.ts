// A part of the client did not come: the server was away, or has a newer client. What is kept of an attempt that failed
// is not to be trusted (a style, say, is not asked for twice), so the page begins anew as soon as the server answers.
const EVERY = 1000;
const LEAST = 10_000;
const PLACE = "fabletop.again";

let going = false;

export async function again(): Promise<void> {
  if (going) return;
  going = true;
  const last = Number(sessionStorage.getItem(PLACE) ?? 0);
  await pause(Math.min(LEAST, Math.max(0, last + LEAST - Date.now())));
  while (
    !(await fetch("/healthz").then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await pause(EVERY);
  sessionStorage.setItem(PLACE, String(Date.now()));
  location.reload();
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
