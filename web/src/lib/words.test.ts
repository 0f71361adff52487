import { describe, expect, it, vi } from "vitest";
import { wantedAtFirst, wantedOf } from "./language.ts";
import { learn, refusal, speak, t, titleOf } from "./words.svelte.ts";

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

describe("a number of things", () => {
  it("is one or many as the language counts", async () => {
    await learn("fairy_school");
    const left = async (lang: "en" | "fr") => {
      await speak(lang);
      return [0, 1, 2].map((count) => t("table_fairy_school.cubes_left", { count }));
    };
    expect(await left("en")).toEqual(["0 cubes left.", "1 cube left.", "2 cubes left."]);
    expect(await left("fr")).toEqual(["Il reste 0 cube.", "Il reste 1 cube.", "Il reste 2 cubes."]);
    expect([0.5, 1.5, 2].map((count) => t("web.equinox.points", { count, points: count }))).toEqual([
      "0.5 point",
      "1.5 point",
      "2 points",
    ]);
    expect(t("web.home.free", { count: 0 }), "a text that says “une”").toBe("0 places libres");
  });
});

describe("the name of a game", () => {
  it("is never a key, even where there are no words for it", async () => {
    await speak("en");
    expect(titleOf("fairy_school")).toBe("Fairy School");
    expect(titleOf("another_game")).toBe("Another Game");
  });
});
