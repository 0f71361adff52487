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

const STEP = 8;
/** From this weight on a thing is needed now: it counts by how much of it is covered, however small it is, and more than
 * what is only looked at. */
const NEEDED = 2;
const ONE_NEEDED = 40_000;

const sizeOf = (box: Box): number => (box.right - box.left) * (box.bottom - box.top);

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

export interface Size {
  width: number;
  height: number;
}

export interface Place {
  left: number;
  top: number;
}

/** The shape of a note and its corner where it covers least; of equally good ones the first shape, and the corner that is
 * nearest to where it lies now. */
export function bestPlace<S extends Size>(
  room: Box,
  sizes: readonly S[],
  covered: readonly Covered[],
  now: Place | null,
): Place & { size: S } {
  let best = { left: room.left, top: room.top, size: sizes[0]! };
  let least = Infinity;
  for (const size of sizes) {
    const [place, cost] = bestCorner(room, size, covered, now);
    if (cost < least) {
      least = cost;
      best = { ...place, size };
    }
  }
  return best;
}

function bestCorner(room: Box, size: Size, covered: readonly Covered[], now: Place | null): [Place, number] {
  const right = Math.max(room.left, room.right - size.width);
  const bottom = Math.max(room.top, room.bottom - size.height);
  const columns = [(room.left + right) / 2, room.left, right];
  let best = { left: columns[0]!, top: room.top };
  let least = Infinity;
  for (let top = room.top; top <= bottom; top += STEP)
    for (const left of columns) {
      const box = { left, top, right: left + size.width, bottom: top + size.height };
      let cost = covered.reduce((sum, { box: other, weight }) => {
        const area = overlap(box, other);
        return sum + weight * (area + (area && weight >= NEEDED ? (ONE_NEEDED * area) / sizeOf(other) : 0));
      }, 0);
      // not to and fro for little
      cost += now ? (Math.abs(now.top - top) + Math.abs(now.left - left)) * 8 : top * 0.1;
      if (cost < least) {
        least = cost;
        best = { left, top };
      }
    }
  return [best, least];
}
