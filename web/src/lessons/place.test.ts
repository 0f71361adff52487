import { expect, test } from "vitest";
import { bestPlace } from "./place.ts";

const room = { left: 0, top: 40, right: 400, bottom: 800 };
const size = { width: 300, height: 100 };

test("a free room: at the top, in the middle", () => {
  expect(bestPlace(room, [size], [], null)).toMatchObject({ left: 50, top: 40 });
});

test("what can be chosen is left free", () => {
  const covered = [
    { box: { left: 0, top: 40, right: 400, bottom: 300 }, weight: 3 },
    { box: { left: 0, top: 450, right: 400, bottom: 800 }, weight: 3 },
  ];
  const { top } = bestPlace(room, [size], covered, null);
  expect(top).toBeGreaterThanOrEqual(300);
  expect(top + size.height).toBeLessThanOrEqual(450);
});

test("a small thing that can be chosen is left free, and a large one that cannot is covered", () => {
  const covered = [
    { box: { left: 0, top: 40, right: 400, bottom: 700 }, weight: 0.6 },
    { box: { left: 180, top: 740, right: 200, bottom: 760 }, weight: 3 },
  ];
  const { top } = bestPlace(room, [size], covered, null);
  expect(top + size.height).toBeLessThanOrEqual(740);
});

test("a large thing that is only looked at is covered before one that can be chosen", () => {
  const covered = [
    { box: { left: 0, top: 40, right: 400, bottom: 300 }, weight: 3 },
    { box: { left: 160, top: 320, right: 240, bottom: 432 }, weight: 3 },
    ...[0, 1].map(() => ({ box: { left: 0, top: 440, right: 400, bottom: 580 }, weight: 0.6 })),
    { box: { left: 0, top: 590, right: 400, bottom: 800 }, weight: 3 },
  ];
  const { top } = bestPlace(room, [size], covered, null);
  expect(top).toBeGreaterThanOrEqual(432);
  expect(top + size.height).toBeLessThanOrEqual(590);
});

test("it stays where it lies when another place is no better", () => {
  const now = bestPlace(room, [size], [], { left: 50, top: 408 });
  expect(now).toMatchObject({ left: 50, top: 408 });
});

test("a note that is larger than the room lies at its corner", () => {
  expect(bestPlace(room, [{ width: 500, height: 900 }], [], null)).toMatchObject({ left: 0, top: 40 });
});

test("a narrow note where only a column is free", () => {
  const narrow = { width: 180, height: 160 };
  const covered = [{ box: { left: 0, top: 40, right: 200, bottom: 800 }, weight: 1 }];
  expect(bestPlace(room, [size, narrow], covered, null)).toMatchObject({ left: 220, size: narrow });
  expect(bestPlace(room, [size, narrow], [], null).size).toBe(size);
});
