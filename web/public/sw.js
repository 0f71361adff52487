// Keeps what never changes (files with a digest in their name), so that the table opens at once; asks for all else.
const KEPT = "fabletop-assets";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith("/assets/")) return;
  event.respondWith(
    caches.open(KEPT).then(async (kept) => {
      const found = await kept.match(event.request);
      if (found) return found;
      const fresh = await fetch(event.request);
      if (fresh.ok) await kept.put(event.request, fresh.clone());
      return fresh;
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wanted = event.notification.data?.url ?? "/";
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((open) => {
      const here = open.find((client) => new URL(client.url).pathname === wanted);
      return here ? here.focus() : self.clients.openWindow(wanted);
    }),
  );
});
