/** What is to be seen on a head or a cell of the grid. */
export interface Marks {
  /** Picked, and not yet confirmed. */
  picked: boolean;
  /** What the hint proposes. */
  best: boolean;
  /** Who touched it last since the viewer's turn. */
  touched: number | undefined;
  /** It belongs to the event that somebody has opened. */
  opened: boolean;
  /** Its creature is going home. */
  falls: boolean;
}
