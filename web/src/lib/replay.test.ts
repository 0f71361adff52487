import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { unpacked } from "./replay.ts";

test("a record in a link comes out as it went in", async () => {
  const record = JSON.stringify({ fabletop: "record", names: ["Ana", "Zoë"] });
  expect(await unpacked(deflateSync(record).toString("base64url"))).toBe(record);
});
