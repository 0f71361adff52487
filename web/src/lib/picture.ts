// A part of the page as a picture that can be kept.

/** The rules of all styles on the page. */
function styles(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText))
    .join("\n");
}

/**
 * Draw a node with the styles of the page and the pictures that it uses, twice as large as on the screen, and offer it
 * as a download. A browser that does not let pages read back such a drawing saves it as SVG.
 */
export async function savePicture(node: HTMLElement, name: string, background: string): Promise<void> {
  const { width, height } = node.getBoundingClientRect();
  const used = new Set(
    [...node.querySelectorAll("svg > *")].map((drawn) => (drawn.getAttribute("href") ?? "").slice(1)),
  );
  const symbols = [...used].map((id) => document.getElementById(id)?.outerHTML ?? "").join("");
  const copy = node.cloneNode(true) as HTMLElement;
  copy.style.animation = "none";
  const page = document.createElementNS("http://www.w3.org/1999/xhtml", "div");
  page.append(copy);
  const inside = new XMLSerializer().serializeToString(page);
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const theme = document.documentElement.dataset["theme"];
  const rules = styles().replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"${theme ? ` data-theme="${theme}"` : ""}>` +
    `<style>${rules} * { animation: none !important } svg { color-scheme: ${scheme} }</style>` +
    `<defs class="art">${symbols}</defs>` +
    `<foreignObject width="100%" height="100%">${inside}</foreignObject></svg>`;
  const address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * 2, height * 2];
  const brush = canvas.getContext("2d")!;
  brush.fillStyle = background;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((drawn) => {
    try {
      canvas.toBlob(drawn, "image/png");
    } catch {
      drawn(null);
    }
  });
  const link = document.createElement("a");
  link.href = blob ? URL.createObjectURL(blob) : address;
  link.download = `${name}.${blob ? "png" : "svg"}`;
  link.click();
  if (blob) URL.revokeObjectURL(link.href);
}
