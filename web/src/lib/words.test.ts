import { describe, expect, it, vi } from "vitest";
import { wantedAtFirst, wantedOf } from "./language.ts";
import { refusal, speak, titleOf } from "./words.svelte.ts";

const speaks = (...languages: string[]) => vi.stubGlobal("navigator", { languages });

describe("the language", () => {
  it("is the preferred one, else the first of the browser's that there is, else English", () => {
    speaks("it-IT", "de-CH", "fr");
    expect(wantedOf("fr")).toBe("fr");
    expect(wantedOf("")).toBe("de");
    speaks("it-IT");
    expect(wantedOf("")).toBe("en");
  });
  it("is known before the preferences are read, even if they cannot be", () => {
    speaks("de-DE");
    localStorage.setItem("fabletop.prefs", '{"lang": "fr"}');
    expect(wantedAtFirst()).toBe("fr");
    localStorage.setItem("fabletop.prefs", "{broken");
    expect(wantedAtFirst()).toBe("de");
  });
});

describe("a refusal", () => {
  it("is a sentence, of which the server says the words", () => {
    expect(refusal("there is no such table; check the link")).toBe("There is no such table; check the link.");
    expect(refusal("")).toBe("");
  });
});

describe("the name of a game", () => {
  it("is never a key, even where there are no words for it", async () => {
    await speak("en");
    expect(titleOf("fairy_school")).toBe("Fairy School");
    expect(titleOf("another_game")).toBe("Another Game");
  });
});
