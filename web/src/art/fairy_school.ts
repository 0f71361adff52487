// All pictures of Fairy School as symbols of one sprite; `Symbol` and `Face` refer to them by name.
import "./art.css";
import "./fairy_school.css";

const found = import.meta.glob<string>("./fairy_school/*.svg", {
  query: "?art",
  import: "default",
  eager: true,
});

/** The inside of the sprite. */
export function sprite(): string {
  const named = Object.entries(found).map(
    ([path, symbol]) => [path.replace(/^.*\/|\.svg.*$/g, ""), symbol] as const,
  );
  return named.map(([name, symbol]) => symbol.replace("<symbol", `<symbol id="school-${name}"`)).join("");
}

/** Put the sprite on the page, once. */
export function hang(): void {
  if (document.getElementById("school-sprite")) return;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.id = "school-sprite";
  svg.setAttribute("class", "art sprite");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = sprite();
  document.body.prepend(svg);
}
