import { beforeEach, describe, expect, it, vi } from "vitest";
import { prefs } from "./prefs.svelte.ts";
import { keep } from "./tokens.ts";

const verb = vi.fn(async () => ({}));
vi.mock("./api.ts", () => ({
  about: async () => ({ push: "the-key" }),
  verb: (...all: unknown[]) => verb(...(all as [])),
}));
const { pushTurns } = await import("./notify.ts");

let subscribed: { endpoint: string } | null = null;
const subscribe = vi.fn(
  async (how: { applicationServerKey: string }) =>
    (subscribed = { endpoint: `https://push.example/${how.applicationServerKey}` }),
);

beforeEach(() => {
  verb.mockClear();
  subscribe.mockClear();
  subscribed = null;
  localStorage.clear();
  vi.stubGlobal("Notification", { permission: "granted" });
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: {
      getRegistration: async () => ({ pushManager: { getSubscription: async () => subscribed, subscribe } }),
    },
  });
});

describe("push", () => {
  it("is sent to the server once for every table, and again when it ends", async () => {
    keep("glade", { token: "secret" });
    prefs.notify = true;
    await pushTurns("glade");
    await pushTurns("glade");
    expect(verb.mock.calls).toEqual([
      ["glade", "push", { endpoint: "https://push.example/the-key" }, "secret"],
    ]);
    prefs.notify = false;
    await pushTurns("glade");
    expect(verb.mock.lastCall).toEqual(["glade", "push", { endpoint: "" }, "secret"]);
  });
  it("is left alone by whoever does not want it, has no seat, or was refused by the browser", async () => {
    keep("brook", { token: "secret" });
    prefs.notify = false;
    await pushTurns("brook");
    prefs.notify = true;
    await pushTurns("elsewhere");
    vi.stubGlobal("Notification", { permission: "denied" });
    await pushTurns("brook");
    expect(verb).not.toHaveBeenCalled();
    expect(subscribe).not.toHaveBeenCalled();
  });
  it("fails in silence: the page notifies instead", async () => {
    keep("dell", { token: "secret" });
    prefs.notify = true;
    subscribe.mockRejectedValueOnce(new Error("no push service"));
    await expect(pushTurns("dell")).resolves.toBeUndefined();
    expect(verb).not.toHaveBeenCalled();
  });
});
