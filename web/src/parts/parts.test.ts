import { render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Card from "../games/equinox/Card.svelte";
import { Table } from "../lib/table.svelte.ts";
import { learn, speak } from "../lib/words.svelte.ts";
import Chooser from "./Chooser.svelte";
import Log from "./Log.svelte";
import Pebble from "./Pebble.svelte";
import { tip, tips } from "./tip.svelte.ts";

vi.stubGlobal("matchMedia", () => ({ matches: true }));

beforeEach(async () => {
  await speak("en");
  await learn("equinox");
});

describe("a card", () => {
  it("shows strength, name and again the strength", () => {
    const { container } = render(Card, { card: "hoot-7" });
    expect(container.textContent).toMatch(/7\s*Hoot\s*7/);
  });
  it("says nothing on its back", () => {
    const { container } = render(Card, {});
    expect(container.textContent?.trim()).toBe("");
  });
});

describe("a pebble", () => {
  it("has a shape of its own for every seat", () => {
    const shapes = [0, 1, 2, 3, 4, 5].map((seat) =>
      render(Pebble, { seat }).container.querySelector(".over")!.getAttribute("d"),
    );
    expect(new Set(shapes).size).toBe(6);
  });
});

function asked(options: string[]): Table {
  const table = new Table("x");
  table.choice = {
    id: 1,
    kind: "use",
    options,
    about: {},
    prompt: "Use the power of Squeak?",
    labels: options.map((one) => one.toUpperCase()),
  };
  return table;
}

describe("the chooser", () => {
  it("asks in words and offers what is not on the board", async () => {
    const table = asked(["use", "pass"]);
    const chosen = vi.spyOn(table, "choose").mockImplementation(() => undefined);
    render(Chooser, { table });
    expect(screen.getByText(/Use the power of Squeak/)).toBeTruthy();
    screen.getByRole("button", { name: "USE" }).click();
    expect(chosen).toHaveBeenCalledWith("use");
  });
  it("asks to confirm what was picked", async () => {
    const table = asked(["use", "pass"]);
    table.picked = "use";
    render(Chooser, { table });
    expect(screen.getByRole("button", { name: "Yes: USE" })).toBeTruthy();
  });
});

describe("the chooser, while another is asked", () => {
  function waiting(here: boolean, seats: number[]): Table {
    const table = new Table("x");
    table.now = {
      status: "playing",
      asked: [1],
      seats: [
        { seat: 0, kind: "person", name: "Ana", here: true },
        { seat: 1, kind: "person", name: "Ben", here },
      ],
    } as never;
    table.seats = seats;
    return table;
  }
  const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", async () => Response.json({ limits: { away: 18 } }));
  });
  afterEach(() => void vi.useRealTimers());

  it("offers a bot for somebody who has gone, when that is allowed", async () => {
    const table = waiting(false, [0]);
    const said = vi.spyOn(table, "send").mockImplementation(() => undefined);
    const { container } = render(Chooser, { table });
    await settled();
    expect(container.querySelector("button")).toBeNull();
    expect(container.textContent).toContain("a bot can take over in 18 s");
    await vi.advanceTimersByTimeAsync(18_500);
    screen.getByRole("button", { name: "A bot for Ben" }).click();
    expect(said).toHaveBeenCalledWith({ type: "replace", seat: 1 });
  });
  it("offers none for somebody who is here, and none to those who watch", async () => {
    for (const table of [waiting(true, [0]), waiting(false, [])]) {
      const { container } = render(Chooser, { table });
      await vi.advanceTimersByTimeAsync(19_000);
      expect(container.querySelector("button")).toBeNull();
      expect(container.textContent).not.toContain("a bot can play");
    }
  });
});

describe("a tip", () => {
  function touched(option: string | undefined): string | undefined {
    const node = document.createElement("div");
    document.body.append(node);
    if (option) node.dataset["option"] = option;
    tip(() => ({ title: "Hoot", lines: [] }))(node);
    node.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch" }));
    node.dispatchEvent(new PointerEvent("pointerup", { pointerType: "touch" }));
    node.click();
    vi.runAllTimers();
    const shown = tips.now?.title;
    tips.hide();
    return shown;
  }
  it("answers a finger on what cannot be chosen, and stays away from what can", () => {
    vi.useFakeTimers();
    expect(touched(undefined)).toBe("Hoot");
    expect(touched("hoot")).toBeUndefined();
    vi.useRealTimers();
  });
});

describe("the log", () => {
  it("ends where the game is looked at", async () => {
    const table = new Table("x");
    table.parts = { headings: {}, loud: [], cardsOf: () => [] } as never;
    table.story = [1, 2, 3].map((n) => ({ event: "played", line: `line ${n}` }));
    table.told = 2;
    const { container } = render(Log, { table });
    await tick();
    expect([...container.querySelectorAll(".log p")].map((found) => found.textContent)).toEqual([
      "line 1",
      "line 2",
    ]);
  });
  it("groups by turn and leaves out turns without a line", async () => {
    const table = new Table("x");
    table.parts = { headings: { round_began: 1, turn_began: 2 }, loud: ["won"], cardsOf: () => [] } as never;
    table.story = [
      { event: "round_began", line: "Round 1" },
      { event: "turn_began", seat: 0, line: "Your turn" },
      { event: "turn_began", seat: 1, line: "Ben’s turn" },
      { event: "passed", line: null },
      { event: "played", line: "Ben plays Hoot 7" },
    ];
    const { container } = render(Log, { table });
    await tick();
    expect([...container.querySelectorAll("h4")].map((found) => found.textContent)).toEqual(["Ben’s turn"]);
    expect(container.querySelector('[role="log"]')?.textContent).toBe("Ben plays Hoot 7");
  });
});
