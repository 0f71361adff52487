import { describe, expect, it } from "vitest";
import { plannedBy } from "./advice.ts";

describe("a hint for a plan", () => {
  it("pairs cards and spaces", () => {
    const answers = ["7", "top-1", "3", "bottom-4", "done"];
    expect(plannedBy(answers, undefined, ["3", "7"])).toEqual({ "top-1": "7", "bottom-4": "3" });
  });
  it("begins with the card in question", () => {
    expect(plannedBy(["top-2", "3", "top-1"], "7", ["3", "7"])).toEqual({ "top-2": "7", "top-1": "3" });
  });
  it("knows the last card although nobody is asked for it", () => {
    expect(plannedBy(["7", "top-1", "bottom-5"], undefined, ["3", "7"])).toEqual({
      "top-1": "7",
      "bottom-5": "3",
    });
  });
});
