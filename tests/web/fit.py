"""Does a table fit into the window? Measured in the browser, at every size that people have."""

from collections.abc import Iterator, Sequence

from playwright.sync_api import Page

SIZES = (
    (360, 640),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1280, 620),
    (1280, 720),
    (1366, 650),
    (1440, 900),
    (1536, 730),
    (1920, 1080),
    (2560, 1440),
)

TIGHT = ((360, 640), (844, 390), (1280, 720))
"""Where words have least room."""

UNDRAWN = """() => {
  document.documentElement.style.opacity = '0';
  document.querySelectorAll('symbol').forEach(one => one.replaceChildren());
}"""
"""Most of the work of a page is drawing. Who only clicks or measures does without; nothing moves by it. Not for axe,
which passes over what cannot be seen."""

SMALLEST = 9
"""Pixels of a name on the smallest phone."""

MISFITS = """([rooms, texts, least]) => {
  const seen = node => node && node.checkVisibility() && node.getBoundingClientRect().width > 0;
  const [wide, tall] = [innerWidth, innerHeight];
  const wrong = [];
  const page = document.documentElement;
  if (page.scrollWidth > wide) wrong.push('the page scrolls sideways');
  if (page.scrollHeight > tall + 1) wrong.push(`the page scrolls by ${page.scrollHeight - tall}`);
  const table = document.querySelector('main');
  const under = table.scrollHeight - table.clientHeight;
  if (under > 1) wrong.push(`the table scrolls by ${under}`);
  const name = node => node.className.toString().split(' ')[0] + (node.dataset.option ?? '');
  const sticksOut = (box, room) => box.left < room.left - 2 || box.top < room.top - 2 ||
    box.right > room.right + 2 || box.bottom > room.bottom + 2;
  const found = rooms.flatMap(one => [...document.querySelectorAll(one)]).filter(seen);
  const boxes = found.map(node => [name(node), node.getBoundingClientRect()]);
  for (const [one, box] of boxes) if (sticksOut(box, {left: 0, top: 0, right: wide, bottom: tall}))
    wrong.push(`${one} is cut: ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
  for (const [i, [one, a]] of boxes.entries()) for (const [two, b] of boxes.slice(i + 1)) {
    const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left),
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
    if (x > 1 && y > 1) wrong.push(`${one} and ${two} overlap`);
  }
  found.forEach((room, i) => { for (const node of room.querySelectorAll('button, p, [data-option], [data-fits]')) {
    const box = node.getBoundingClientRect();
    if (!seen(node) || node.closest('.visually-hidden, .log')) continue;
    const within = node.closest('.slot') ? {left: 0, top: 0, right: wide, bottom: tall} : boxes[i][1];
    if (sticksOut(box, within)) wrong.push(`${name(node)} sticks out of ${boxes[i][0]}`);
  } });
  for (const node of texts.flatMap(one => [...document.querySelectorAll(one)]).filter(seen)) {
    const size = parseFloat(getComputedStyle(node).fontSize);
    if (size < least) wrong.push(`${node.textContent.trim()} is only ${size} px`);
    if (node.scrollWidth > node.clientWidth + 1) wrong.push(`${node.textContent.trim()} is cut`);
    const over = node.parentElement;
    if (over.scrollWidth > over.clientWidth + 1) wrong.push(`${node.textContent.trim()} is wider than its place`);
  }
  return [...new Set(wrong)];
}"""


SETTLED = """([wide, tall]) => new Promise(done => {
  const look = () => innerWidth === wide && innerHeight === tall ?
    requestAnimationFrame(() => requestAnimationFrame(done)) : requestAnimationFrame(look);
  look();
})"""


def sizes(page: Page, some: Sequence[tuple[int, int]] = SIZES) -> Iterator[str]:
    """The page at each size, drawn; named by the size."""
    for width, height in some:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED, [width, height])
        yield f"{width} × {height}"


def misfits(
    page: Page, rooms: Sequence[str], texts: Sequence[str], some: Sequence[tuple[int, int]] = SIZES
) -> list[str]:
    """What is wrong at each size: rooms that overlap or are cut, what sticks out, texts that are small or cut."""
    return [
        f"{size}: {what}"
        for size in sizes(page, some)
        for what in page.evaluate(MISFITS, [rooms, texts, SMALLEST])
    ]
