import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { art, compressed, fileOf, preloads, together, typefaces, words } from "./plugins.ts";

// `npm run dev` shows changes at once; the tables are those of a server that runs beside it
const SERVER = process.env["FABLETOP_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig(({ mode }) => ({
  plugins: [words(), art(), typefaces(), svelte(), together(), preloads(), compressed()],
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  build: {
    outDir: process.env["FABLETOP_STATIC"] ?? "../src/fabletop/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy takes styles and scripts from files only
    cssCodeSplit: true,
    rolldownOptions: {
      checks: { pluginTimings: false },
      preserveEntrySignatures: "allow-extension", // else each file has a second one that only names its exports
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf }] } },
    },
  },
  server: {
    proxy: { "/api": SERVER, "/ws": { target: SERVER, ws: true } },
  },
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"], globals: true },
}));
