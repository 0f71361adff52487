// Where in the client we are: `/`, `/t/<table>`, and `#…` for what lies over it.
class Route {
  path = $state(location.pathname);
  hash = $state(location.hash);
}

export const route = new Route();

function follow(): void {
  route.path = location.pathname;
  route.hash = location.hash;
}

addEventListener("popstate", follow);
addEventListener("hashchange", follow);

export function go(address: string): void {
  history.pushState(null, "", address);
  follow();
  scrollTo(0, 0);
}

/** Links inside the client do not load the page. */
export function links(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.pathname + link.hash);
}
