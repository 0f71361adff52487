// A part of the page as a picture that can be kept.

/** The rules that hold on this page: a picture has another size, for which other rules would hold. */
function holding(rules: CSSRuleList): CSSRule[] {
  return [...rules].flatMap((rule) => {
    if (!(rule instanceof CSSMediaRule)) return [rule];
    return matchMedia(rule.conditionText).matches ? holding(rule.cssRules) : [];
  });
}

/** The rules of all styles on the page. A picture loads nothing, so it has the typefaces in it. */
async function styles(): Promise<string> {
  const rules = [...document.styleSheets].flatMap((sheet) => holding(sheet.cssRules));
  return (
    await Promise.all(
      rules.map((rule) => (rule instanceof CSSFontFaceRule ? withFile(rule.cssText) : rule.cssText)),
    )
  ).join("\n");
}

/** The rule of a typeface with the file in the place of its address. */
async function withFile(rule: string): Promise<string> {
  const address = /url\("?([^")]+)"?\)/.exec(rule)?.[1];
  if (!address) return rule;
  const file = await (await fetch(address)).blob();
  return new Promise((read, fail) => {
    const reader = new FileReader();
    reader.onload = () => read(rule.replace(address, reader.result as string));
    reader.onerror = () => fail(new Error(address));
    reader.readAsDataURL(file);
  });
}

/**
 * Draw a node with the styles of the page and the pictures that it uses, twice as large as on the screen, and offer it
 * to the system's share sheet by touch, else as a download. What has the class `unpictured` is left out, and
 * `pictured` is seen only there. A browser that does not let pages read back such a drawing saves it as SVG.
 */
export async function savePicture(node: HTMLElement, name: string, background: string): Promise<void> {
  node.classList.add("in-picture");
  // as it is laid out, not as a large screen shows it
  const [width, height] = [node.offsetWidth, node.offsetHeight];
  const used = new Set(
    [...node.querySelectorAll("svg > *")].map((drawn) => (drawn.getAttribute("href") ?? "").slice(1)),
  );
  const symbols = [...used].map((id) => document.getElementById(id)?.outerHTML ?? "").join("");
  const copy = node.cloneNode(true) as HTMLElement;
  node.classList.remove("in-picture");
  copy.style.animation = "none";
  const page = document.createElementNS("http://www.w3.org/1999/xhtml", "div");
  page.append(copy);
  const inside = new XMLSerializer().serializeToString(page);
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  const theme = document.documentElement.dataset["theme"];
  const rules = (await styles()).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"${theme ? ` data-theme="${theme}"` : ""}>` +
    `<style>${rules} * { animation: none !important } svg { color-scheme: ${scheme} } :root { background: none !important }</style>` +
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
  const file = blob && new File([blob], `${name}.png`, { type: blob.type });
  if (file && matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    // closing the system's sheet is no error
    await navigator.share({ files: [file] }).catch(() => undefined);
    return;
  }
  const link = document.createElement("a");
  link.href = blob ? URL.createObjectURL(blob) : address;
  link.download = `${name}.${blob ? "png" : "svg"}`;
  link.click();
  if (blob) URL.revokeObjectURL(link.href);
}
