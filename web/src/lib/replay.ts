// Links that carry a whole record, as the lab's pages have them: `/#replay=RECORD@STEP`, the record deflated, in base64url.
import { importRecord } from "./api.ts";
import { go } from "./route.svelte.ts";

const LINK = /^#replay=([\w-]+)@(\d+)$/;

export async function unpacked(packed: string): Promise<string> {
  const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/** Opens the record of such a link as a table, in the replay at its step; does nothing for any other address. */
export async function openReplay(hash: string): Promise<void> {
  const found = LINK.exec(hash);
  if (!found) return;
  const done = await importRecord(await unpacked(found[1]!));
  go(`/t/${done.table}#at-${found[2]}`);
}
