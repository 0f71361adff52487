import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { keep, privateLink, takeFromAddress, tokenOf } from "./tokens.ts";
import { partsOf } from "../games/index.ts";
import { Table } from "./table.svelte.ts";
import { prefs } from "./prefs.svelte.ts";
import { speak, t } from "./words.svelte.ts";
import type * as wire from "./wire.ts";

/** A socket that a test speaks through. */
class Socket {
  static last: Socket;
  static readonly OPEN = 1;
  readyState = 1;
  said: wire.ClientMessage[] = [];
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: () => void;
  constructor() {
    Socket.last = this;
  }
  send(text: string): void {
    this.said.push(JSON.parse(text) as wire.ClientMessage);
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
  hear(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const seat = (number: number, name: string) => ({ seat: number, kind: "person", name });
const now = {
  table: "x",
  game: "equinox",
  status: "playing",
  seats: [seat(0, "Ana"), seat(1, "Ben")],
  asked: [0],
};
const cell = { top: null, covered: [], pebble: null };
const player = { hand: 8, aside: 0, unseen: 0, pebbles: 5, resting: 0, secret: false, secret_made: false };
const view = (viewer: number, waiting: number[], hand: string[] = ["hoot-7"]) => ({
  game: "equinox",
  viewer,
  waiting_for: waiting,
  turn: 0,
  own: { hand, held: null },
  players: [player, player],
  columns: [{ creature: "hoot", controller: null, champion: [], cells: [cell, cell, cell, cell, cell] }],
});
const choice = (id: number, options: string[]) => ({ id, kind: "play", options, about: {}, labels: options });
const welcome = (more: object = {}) => ({
  type: "welcome",
  table: now,
  viewer: 0,
  seats: [0],
  seq: 3,
  keep: 0,
  events: [{ event: "turn_began", seat: 0, line: "Your turn" }],
  view: view(0, [0]),
  choice: choice(3, ["hoot-7", "pass"]),
  undo: "nothing",
  chat: [],
  run: "r",
  ...more,
});
const settle = () => vi.waitFor(() => new Promise((done) => setTimeout(done, 5)));

let table: Table;
beforeAll(() => partsOf("equinox"), 30_000);
beforeEach(async () => {
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  localStorage.clear();
  prefs.autopass = false;
  prefs.confirm = "none";
  prefs.speed = "normal";
  await speak("en");
  keep("x", { token: "t".repeat(20), game: "equinox" });
  table = new Table("x");
  table.open();
  Socket.last.onopen?.();
});

describe("the table as the browser sees it", () => {
  it("says hello with its token and language, and shows what it receives", async () => {
    expect(Socket.last.said[0]).toMatchObject({
      type: "hello",
      table: "x",
      token: "t".repeat(20),
      seq: null,
      lang: "en",
    });
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice?.id).toBe(3));
    expect(table.can("hoot-7")).toBe(true);
    expect(table.can("hoot-8")).toBe(false);
  });

  it("answers once, with the choice and an id, and not again before it receives more", async () => {
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    table.choose("hoot-7");
    table.choose("hoot-7");
    const acts = Socket.last.said.filter((said) => said.type === "act");
    expect(acts).toHaveLength(1);
    expect(acts[0]).toMatchObject({ choice: 3, action: "hoot-7", seat: 0 });
  });

  it("says an unanswered action again with the same id after a reconnect", async () => {
    vi.useFakeTimers();
    Socket.last.hear(welcome());
    await vi.advanceTimersByTimeAsync(50);
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    table.choose("pass");
    const first = Socket.last;
    const act = first.said.find((said) => said.type === "act");
    first.close();
    expect(table.status).toBe("lost");
    await vi.advanceTimersByTimeAsync(1000);
    const second = Socket.last;
    expect(second).not.toBe(first);
    second.onopen?.();
    expect(second.said[0]).toMatchObject({ type: "hello", seq: 3 });
    second.hear(welcome({ keep: 1, events: [] }));
    expect(second.said.find((said) => said.type === "act")).toEqual(act);
    vi.useRealTimers();
  });

  it("forgets events that were taken back", async () => {
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.story).toHaveLength(1));
    Socket.last.hear({
      type: "update",
      seq: 4,
      events: [{ event: "played", seat: 0, card: "hoot-7", row: 1, line: "You play" }],
      view: view(0, [0]),
      choice: null,
    });
    await vi.waitFor(() => expect(table.story).toHaveLength(2));
    Socket.last.hear({
      type: "update",
      seq: 5,
      keep: 1,
      events: [],
      view: view(0, [0]),
      choice: choice(5, ["hoot-7"]),
    });
    await vi.waitFor(() => expect(table.story).toHaveLength(1));
    expect(table.choice?.id).toBe(5);
  });

  it("goes on with a script before the view comes, and gives each answer once", async () => {
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    const answers = ["hoot-7", "hoot-8", "pass"];
    table.follow(() => answers.shift() ?? null);
    const said = () => Socket.last.said.flatMap((one) => (one.type === "act" ? [one] : []));
    const update = { type: "update", events: [] };
    Socket.last.hear({ ...update, seq: 4, done: said()[0]!.id, choice: choice(4, ["hoot-8"]) });
    expect(said().map(({ action }) => action)).toEqual(["hoot-7", "hoot-8"]);
    // the view of the first answer: the second one is on its way and is not given again
    Socket.last.hear({ type: "view", seq: 4, view: view(0, [0]) });
    await settle();
    expect(said().length).toBe(2);
    Socket.last.hear({
      ...update,
      seq: 5,
      done: said()[1]!.id,
      choice: choice(5, ["pass"]),
      view: view(0, [0]),
    });
    await settle();
    expect(said().map(({ action }) => action)).toEqual(["hoot-7", "hoot-8", "pass"]);
    Socket.last.hear({ ...update, seq: 6, done: said()[2]!.id, choice: choice(6, ["pass"]) });
    expect(said().length).toBe(3);
    expect(table.can("pass")).toBe(false);
    Socket.last.hear({ type: "view", seq: 6, view: view(0, [0]) });
    await settle();
    expect(table.can("pass")).toBe(true);
  });

  it("waits for the view where an update comes without one", async () => {
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    Socket.last.hear({
      type: "update",
      seq: 4,
      events: [{ event: "turn_began", seat: 1, line: "Ben" }],
      choice: null,
    });
    await settle();
    expect(table.story).toHaveLength(1);
    Socket.last.hear({ type: "view", seq: 4, view: view(0, [1]) });
    await vi.waitFor(() => expect(table.story).toHaveLength(2));
    expect(table.asking).toEqual([1]);
  });

  describe("staging", () => {
    const twoEvents = {
      type: "update",
      seq: 4,
      events: [
        { event: "played", seat: 0, card: "hoot-7", row: 1, line: "You play Hoot 7" },
        { event: "drew", seat: 0, count: 1, cards: ["hoot-9"], line: "You draw" },
      ],
      view: { ...view(0, [1], ["hoot-9"]), seq: "final" },
      choice: null,
    };
    const shown = () => table.view as ReturnType<typeof view> & { seq?: string };

    beforeEach(async () => {
      Socket.last.hear(welcome());
      await vi.waitFor(() => expect(table.choice).not.toBeNull());
      table.parts = { ...table.parts!, beats: () => [120] };
    });

    it("changes the page event by event, each when it has landed, and ends with the server's view", async () => {
      Socket.last.hear(twoEvents);
      expect(shown().own.hand).toEqual(["hoot-7"]);
      await vi.waitFor(() => expect(table.stage.scene?.event.event).toBe("played"), { interval: 5 });
      expect(shown().own.hand).toEqual(["hoot-7"]);
      expect(table.story).toHaveLength(1);
      await vi.waitFor(() => expect(table.stage.scene?.event.event).toBe("drew"), { interval: 5 });
      expect(shown().own.hand).toEqual([]);
      expect(shown().columns[0]!.cells[0]!.top).toBe("hoot-7");
      expect(shown().seq).toBeUndefined();
      expect(table.story).toHaveLength(2);
      await vi.waitFor(() => expect(table.busy).toBe(false));
      expect(shown()).toEqual(twoEvents.view);
      expect(table.story).toHaveLength(3);
    });

    it("ends with the server's view where a game cannot tell what an event changes", async () => {
      const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
      table.parts = {
        ...table.parts!,
        land: () => {
          throw new Error("no such card");
        },
      };
      Socket.last.hear(twoEvents);
      await vi.waitFor(() => expect(shown()).toEqual(twoEvents.view));
      expect(said).toHaveBeenCalledTimes(2);
      said.mockRestore();
    });

    it("lands everything that waits when it is skipped", async () => {
      table.parts = { ...table.parts!, beats: () => [60_000] };
      Socket.last.hear(twoEvents);
      await vi.waitFor(() => expect(table.stage.scene).not.toBeNull());
      table.stage.skip();
      await vi.waitFor(() => expect(shown()).toEqual(twoEvents.view));
    });

    it("waits with a notice until it is read", async () => {
      table.parts = {
        ...table.parts!,
        notice: (event) => (event.event === "played" ? { title: "Look", lines: [] } : null),
      };
      Socket.last.hear(twoEvents);
      await vi.waitFor(() => expect(table.stage.notice?.title).toBe("Look"));
      table.stage.skip();
      await settle();
      expect(table.busy).toBe(true);
      table.stage.dismiss();
      await vi.waitFor(() => expect(shown()).toEqual(twoEvents.view));
    });

    it("takes back at once, also while something is shown", async () => {
      Socket.last.hear(twoEvents);
      Socket.last.hear({ type: "update", seq: 5, keep: 1, events: [], view: view(0, [0]), choice: null });
      await vi.waitFor(() => expect(table.busy).toBe(false));
      expect(table.story).toHaveLength(1);
      expect(shown()).toEqual(view(0, [0]));
    });
  });

  it("drops the curtain when another seat of this device is asked, and keeps nothing of the hand", async () => {
    Socket.last.hear(welcome({ seats: [0, 1] }));
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    Socket.last.hear({ type: "update", seq: 4, events: [], view: view(0, [1]), choice: null });
    await vi.waitFor(() => expect(table.curtain).toBe(1));
    expect(table.view).toBeNull();
    expect(table.story).toEqual([]);
    table.lift();
    expect(Socket.last.said.at(-1)).toEqual({ type: "look", seat: 1 });
  });

  it("asks again before a step where that is preferred", async () => {
    prefs.confirm = "all";
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    table.choose("hoot-7");
    expect(table.picked).toBe("hoot-7");
    expect(Socket.last.said.some((said) => said.type === "act")).toBe(false);
    table.choose("hoot-7");
    expect(Socket.last.said.some((said) => said.type === "act")).toBe(true);
  });

  it("asks again only before what reveals something, where that is preferred", async () => {
    prefs.confirm = "reveals";
    Socket.last.hear(welcome({ choice: { ...choice(3, ["hoot-7", "pass"]), reveals: ["hoot-7"] } }));
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    table.choose("hoot-7");
    expect(table.picked).toBe("hoot-7");
    expect(Socket.last.said.some((said) => said.type === "act")).toBe(false);
    table.choose("pass");
    expect(Socket.last.said.at(-1)).toMatchObject({ type: "act", action: "pass" });
  });

  it("keeps what is picked and what was advised when the same question comes in another language", async () => {
    prefs.confirm = "all";
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    const hint = {
      type: "hint",
      choice: 3,
      options: [{ action: "pass", victory: 0.5, points: 7, visits: 9 }],
    };
    Socket.last.hear(hint);
    table.choose("hoot-7");
    await speak("de");
    table.refresh();
    Socket.last.onopen?.();
    expect(Socket.last.said[0]).toMatchObject({ type: "hello", lang: "de", seq: null });
    const asked = choice(3, ["hoot-7", "pass"]);
    Socket.last.hear(welcome({ choice: { ...asked, prompt: "Spiele eine Karte." } }));
    await vi.waitFor(() => expect(table.choice?.prompt).toBe("Spiele eine Karte."));
    expect(table.picked).toBe("hoot-7");
    expect(table.hint?.options[0]?.action).toBe("pass");
    Socket.last.hear({ type: "update", seq: 4, events: [], view: view(0, [0]), choice: { ...asked, id: 4 } });
    await vi.waitFor(() => expect(table.choice?.id).toBe(4));
    expect(table.picked).toBeNull();
    expect(table.hint).toBeNull();
  });

  it("keeps its place in a game that is looked through again when the connection comes back", async () => {
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    table.told = 0;
    table.view = view(0, [0], ["hoot-1"]);
    Socket.last.hear(welcome());
    await settle();
    expect(table.view).toMatchObject({ own: { hand: ["hoot-1"] } });
  });

  it("answers a lone pass by itself after a pause", async () => {
    prefs.autopass = true;
    prefs.speed = "off";
    Socket.last.hear(welcome({ choice: choice(3, ["pass"]) }));
    await vi.waitFor(() => expect(Socket.last.said.at(-1)).toMatchObject({ type: "act", action: "pass" }));
  });

  it("does not answer for a hint that comes too late", async () => {
    Socket.last.hear(welcome());
    await vi.waitFor(() => expect(table.choice).not.toBeNull());
    Socket.last.hear({
      type: "hint",
      id: "h",
      choice: 2,
      options: [{ action: "pass", victory: 1, points: 1 }],
    });
    expect(table.hint).toBeNull();
    Socket.last.hear({
      type: "hint",
      id: "h",
      choice: 3,
      options: [{ action: "pass", victory: 1, points: 1 }],
    });
    expect(table.hint?.options[0]?.action).toBe("pass");
  });

  it("says of a thing what the server says of it, and of other things what holds for all", async () => {
    table.open();
    Socket.last.onopen?.();
    const reasons = [
      { text: "Any other.", rule: "E-1", things: ["*"] },
      { text: "Not this one.", rule: "E-2", things: ["hoot-8", "fungy-1"] },
    ];
    Socket.last.hear(welcome({ choice: { ...choice(3, ["hoot-7", "pass"]), reasons } }));
    await settle();
    expect(table.why("fungy-1")).toEqual(reasons[1]);
    expect(table.why("stag-1")).toBeNull();
    expect(table.why("stag-1", true)).toEqual(reasons[0]);
    expect(table.why("hoot-7", true)).toBeNull();
    table.attempt("fungy-1");
    expect(table.trouble).toBe("Not this one.");
  });
});

describe("tokens", () => {
  it("takes the token out of the address of a private link", () => {
    history.replaceState(null, "", `/t/y#token=${"a".repeat(32)}`);
    takeFromAddress("y");
    expect(location.hash).toBe("");
    expect(tokenOf("y")?.token).toBe("a".repeat(32));
    expect(privateLink("y", "secret")).toMatch(/\/t\/y#token=secret$/);
  });
});

describe("words", () => {
  it("speaks three languages and counts", async () => {
    expect(t("web.home.free", { count: 1 })).toBe("one free seat");
    expect(t("web.home.free", { count: 2 })).toBe("2 free seats");
    await speak("de");
    expect(t("web.home.free", { count: 2 })).toBe("2 freie Plätze");
    expect(t("no.such.key")).toBe("no.such.key");
  });
});
