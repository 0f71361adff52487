// Where a note may lie on the table: where it covers least of what can be chosen and of what it speaks about.
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Covered {
  box: Box;
  /** How bad it is to cover it. */
  weight: number;
}

const STEP = 16;

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The corner of the best place for a note inside a room; of equally good ones the nearest to where it lies now. */
export function bestPlace(
  room: Box,
  size: { width: number; height: number },
  covered: readonly Covered[],
  now: { left: number; top: number } | null,
): { left: number; top: number } {
  const right = Math.max(room.left, room.right - size.width);
  const bottom = Math.max(room.top, room.bottom - size.height);
  const columns = [(room.left + right) / 2, room.left, right];
  let best = { left: columns[0]!, top: room.top };
  let least = Infinity;
  for (let top = room.top; top <= bottom; top += STEP)
    for (const left of columns) {
      const box = { left, top, right: left + size.width, bottom: top + size.height };
      let cost = covered.reduce((sum, { box: other, weight }) => sum + weight * overlap(box, other), 0);
      // not to and fro for a few pixels
      cost += now ? (Math.abs(now.top - top) + Math.abs(now.left - left)) * 0.5 : top * 0.1;
      if (cost < least) {
        least = cost;
        best = { left, top };
      }
    }
  return best;
}
