// Keeps what never changes (files with a digest in their name), so that the table opens at once; asks for all else.
// Tells whoever wants to know that it is their turn: a push carries no content, so the words are here.
const KEPT = "fabletop-assets";
const SPOKEN = "fabletop-spoken";
const TURN = {
  en: "It is your turn at the table.",
  fr: "C’est à vous de jouer.",
  de: "Du bist am Tisch dran.",
};

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (
    event.request.method !== "GET" ||
    url.origin !== location.origin ||
    !url.pathname.startsWith("/assets/")
  )
    return;
  event.respondWith(
    caches.open(KEPT).then(async (kept) => {
      const found = await kept.match(event.request);
      if (found) return found;
      const fresh = await fetch(event.request);
      if (fresh.ok) event.waitUntil(kept.put(event.request, fresh.clone()).catch(() => undefined));
      return fresh;
    }),
  );
});

/** The page leaves its language here; before it ever did, it is that of the browser. */
async function words() {
  const kept = await caches.open(SPOKEN);
  const spoken = await (await kept.match("/spoken"))?.text();
  return TURN[spoken ?? self.navigator.language.slice(0, 2)] ?? TURN.en;
}

self.addEventListener("push", (event) => {
  event.waitUntil(
    words().then((body) =>
      self.registration.showNotification("Fabletop", {
        body,
        tag: "turn",
        icon: "/icon.svg",
        data: { url: "/" },
      }),
    ),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = event.notification.data?.url ?? "/";
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((open) => {
      // without a table of its own a notice leads to any page that is open, else to the list of games
      const here = open.find((client) => wanted === "/" || new URL(client.url).pathname === wanted);
      return here ? here.focus() : self.clients.openWindow(wanted);
    }),
  );
});
