import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import svelte from "eslint-plugin-svelte";
import { defineConfig, globalIgnores } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  globalIgnores(["node_modules", "src/lib/wire.ts", "src/**/*.generated.ts"]),
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  prettier,
  svelte.configs.prettier,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig },
    },
  },
  {
    rules: {
      // the compiler's strict index checks ask for `!` wherever a place is known to exist
      "@typescript-eslint/no-non-null-assertion": "off",
      // svelte-check reports undefined names, and knows the types of the browser
      "no-undef": "off",
      // `{#each … as _}` counts
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_$", argsIgnorePattern: "^_" }],
      // sets that are replaced, never changed, need no proxy
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
);
