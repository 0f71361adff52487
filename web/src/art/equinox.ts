// All pictures of Equinox as symbols of one sprite; `Picture` refers to them by name.
import "./art.css";
import ground from "./ground.svg?art";
import scene from "./scene.svg?art";

const found = import.meta.glob<string>("./equinox/*.svg", { query: "?art", import: "default", eager: true });

const RAINBOW = [
  ["#e8682c", "#b04a1a"],
  ["#e3b53f", "#b08420"],
  ["#66bf46", "#438a2c"],
  ["#2fb0b4", "#1b7f86"],
  ["#a35bcf", "#7a3ba0"],
];

function gradient(id: string, tone: 0 | 1): string {
  const stops = RAINBOW.map(
    (pair, i) => `<stop offset="${i / (RAINBOW.length - 1)}" stop-color="${pair[tone]}"/>`,
  );
  return `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="0.6">${stops.join("")}</linearGradient>`;
}

/** The inside of the sprite. */
export function sprite(): string {
  const named = Object.entries(found).map(
    ([path, symbol]) => [path.replace(/^.*\/|\.svg.*$/g, ""), symbol] as const,
  );
  const all = [...named, ["scene", scene], ["ground", ground]] as const;
  const symbols = all.map(([name, symbol]) => symbol.replace("<symbol", `<symbol id="art-${name}"`));
  return `<defs>${gradient("rainbow", 0)}${gradient("rainbow-deep", 1)}</defs>${symbols.join("")}`;
}

/** Put the sprite on the page, once. */
export function hang(): void {
  if (document.getElementById("sprite")) return;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.id = "sprite";
  svg.setAttribute("class", "art");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = sprite();
  document.body.prepend(svg);
}
