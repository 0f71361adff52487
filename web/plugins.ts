// What Vite does not bring: the words of the three languages from their TOML files, pictures with their paper shadows,
// typefaces cut down to these languages, and compressed copies of everything that is sent.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { parse } from "smol-toml";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

const LANG = resolve(import.meta.dirname, "../src/fabletop/lang");
const FILES = ["common", "web"];

/** `words:en` is the language everybody needs, `words:en/a,b` the files that one game adds. */
export function words(): Plugin {
  return {
    name: "fabletop-words",
    resolveId: (id) => (id.startsWith("words:") ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith("\0words:")) return null;
      const [lang = "", files] = id.slice("\0words:".length).split("/");
      const found: Record<string, unknown> = {};
      for (const name of files ? files.split(",") : FILES) {
        const path = join(LANG, lang, `${name}.toml`);
        if (!existsSync(path)) continue;
        this.addWatchFile(path);
        found[name] = parse(readFileSync(path, "utf-8"));
      }
      return `export default ${JSON.stringify(found)}`;
    },
  };
}

/** `picture.svg?art` is the inside of a picture; every shape of the class `s` gets its shadow in two steps and a
 * light cut edge. */
export function art(): Plugin {
  return {
    name: "fabletop-art",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".svg?art")) return null;
      const path = id.slice(0, -"?art".length);
      this.addWatchFile(path);
      return `export default ${JSON.stringify(shadowed(readFileSync(path, "utf-8")))}`;
    },
  };
}

export function shadowed(svg: string): string {
  return (
    svg
      .trim()
      .replace(/<svg[^>]*viewBox="([^"]*)"([^>]*)>/, (_, box: string, rest: string) => {
        const ratio = /preserveAspectRatio="[^"]*"/.exec(rest)?.[0] ?? "";
        return `<symbol viewBox="${box}" ${ratio}>`;
      })
      .replace(/<\/svg>$/, "</symbol>")
      .replace(
        /<(path|circle|ellipse|rect) class="[^"]* s"([^>]*)\/>/g,
        (shape, kind: string, rest: string) =>
          `<g class="sh2" transform="translate(1.7 4)"><${kind}${rest}/></g><g class="sh" transform="translate(0.9 2.2)"><${kind}${rest}/></g><g transform="translate(-0.45 -0.9)">${shape}<g class="edge"><${kind}${rest}/></g></g>${shape}`,
      )
      // a picture is drawn through <use>, where only selectors of one class reach: each paper gets a name of its own
      .replace(/class="(\w+)(?: s)?"/g, 'class="paper-$1"')
      .replace(/\n/g, "")
  );
}

/** The letters of Latin-1, and the signs that English, French and German need besides. */
const LETTERS = [
  ...Array.from({ length: 0x5f }, (_, i) => String.fromCharCode(0x20 + i)),
  ...Array.from({ length: 0x40 }, (_, i) => String.fromCharCode(0xc0 + i)),
  "\u00a0\u00ad¡¿«»°·§©²³¼½¾ŒœŸ–—‘’‚“”„†•…′″‹›€→←↑↓−×\u2009\u202f",
].join("");

/** The two typefaces, by file of Fontsource, with what is kept of their axes: titles have one weight. */
const TYPEFACES = {
  fraunces: { file: "latin-soft-normal", axes: { SOFT: 100, wght: 640 } },
  nunito: { file: "latin-wght-normal", axes: { wght: { min: 400, max: 700 } } },
};

/** `url("typefaces/nunito.woff2")` is that typeface with the letters of our languages only: half the bytes. */
export function typefaces(): Plugin {
  const folder = resolve(import.meta.dirname, "node_modules/.typefaces");
  return {
    name: "fabletop-typefaces",
    async config() {
      mkdirSync(folder, { recursive: true });
      for (const [name, { file, axes }] of Object.entries(TYPEFACES)) {
        const path = `node_modules/@fontsource-variable/${name}/files/${name}-${file}.woff2`;
        const whole = readFileSync(resolve(import.meta.dirname, path));
        const made = { targetFormat: "woff2", variationAxes: axes } as const;
        writeFileSync(join(folder, `${name}.woff2`), await subsetFont(whole, LETTERS, made));
      }
      return { resolve: { alias: { typefaces: folder } } };
    },
  };
}

const SRC = resolve(import.meta.dirname, "src");
const GAMES = readdirSync(join(SRC, "games"), { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? [one.name] : [],
);
interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A module and everything that it imports, except what is loaded on demand. */
function reached(from: string, modules: Modules, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found;
  found.add(from);
  for (const next of modules.getModuleInfo(from)?.importedIds ?? []) reached(next, modules, found);
  return found;
}

/** The file that a module goes to. There are few: on a phone each costs more time than the bytes in it. The first file,
 * the client, the home page and the code of a game are one file each, and what both games use comes with the client;
 * pictures, words and dialogs have their own. */
export function fileOf(id: string, modules: Modules): string | null {
  const within = (entry: string): boolean => reached(join(SRC, entry), modules).has(id);
  if (within("main.ts") || id.startsWith("\0rolldown")) return "first";
  if (within("client.ts")) return "client";
  if (within("pages/Home.svelte")) return "home";
  if (id.startsWith(join(SRC, "art"))) return null;
  const users = GAMES.filter((game) => within(`games/${game}/index.ts`));
  return users.length > 1 ? "client" : (users[0] ?? null);
}

/** The page asks for the whole client at once, not only for its first file, which would ask for the second and so on. */
export function together(): Plugin {
  return {
    name: "fabletop-together",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle = {} }) {
        const chunks = new Map(
          Object.values(bundle).flatMap((one) =>
            one.type === "chunk" ? [[one.fileName, one] as const] : [],
          ),
        );
        const client = [...chunks.values()].find((chunk) => chunk.moduleIds.includes(join(SRC, "client.ts")));
        if (!client) throw new Error("the client is not in a chunk of its own");
        const files = [client.fileName, ...client.imports].filter((name) => !html.includes(name));
        const styles = files.flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])]);
        return [
          ...files.map((name) => ({
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
          })),
          ...styles.map((name) => ({
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "stylesheet", crossorigin: true, href: `/${name}` },
          })),
        ];
      },
    },
  };
}

/** `preloads.json` names the files that a page needs at once: "" those of every page, "en" those of a language, "equinox"
 * those of a game's table, "equinox/en" its words. The server puts them into the headers of the page, so that the browser
 * asks for them together with the page's own. */
export function preloads(): Plugin {
  return {
    name: "fabletop-preloads",
    apply: "build",
    generateBundle(_, bundle) {
      const named: Record<string, string[]> = {};
      const chunks = Object.values(bundle).flatMap((one) => (one.type === "chunk" ? [one] : []));
      const add = (key: string, chunk: (typeof chunks)[number]): void => {
        const files = [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])];
        named[key] = [...new Set([...(named[key] ?? []), ...files])];
      };
      const having = (id: string) => chunks.filter((chunk) => chunk.moduleIds.includes(id));
      for (const entry of ["main.ts", "client.ts"])
        for (const chunk of having(join(SRC, entry))) add("", chunk);
      for (const game of GAMES) {
        for (const chunk of having(join(SRC, "games", game, "index.ts"))) add(game, chunk);
      }
      for (const chunk of chunks)
        for (const id of chunk.moduleIds) {
          const lang = /^\0words:(\w+)/.exec(id)?.[1];
          if (lang === undefined) continue;
          const entries = this.getModuleInfo(id)?.dynamicImporters ?? [];
          const game = GAMES.find((one) => entries.includes(join(SRC, "games", one, "entry.ts")));
          add(game ? `${game}/${lang}` : lang, chunk);
        }
      this.emitFile({ type: "asset", fileName: "preloads.json", source: JSON.stringify(named, null, 1) });
    },
  };
}

/** The server sends `x.js.br` or `x.js.gz` where it finds one beside `x.js`. */
export function compressed(): Plugin {
  return {
    name: "fabletop-compressed",
    apply: "build",
    writeBundle(options) {
      const walk = (folder: string): void => {
        for (const name of readdirSync(folder)) {
          const path = join(folder, name);
          if (statSync(path).isDirectory()) walk(path);
          else if (/\.(js|css|html|svg|json|webmanifest)$/.test(name)) {
            const data = readFileSync(path);
            writeFileSync(`${path}.gz`, gzipSync(data, { level: 9 }));
            writeFileSync(`${path}.br`, brotliCompressSync(data));
          }
        }
      };
      if (options.dir) walk(options.dir);
    },
  };
}
