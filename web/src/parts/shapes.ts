// The shape of each seat, in a square of 24: together with its colour it tells seats apart.
export const SHAPES = [
  "M12 2.5 a9.5 9.5 0 1 0 0.01 0Z",
  "M12 1 L22 12 L12 23 L2 12Z",
  "M12 2 L22.5 20.5 L1.5 20.5Z",
  "M3.5 3.5 H20.5 V20.5 H3.5Z",
  "M12 0.8 L15.3 8.2 L23.3 9 L17.3 14.3 L19 22.2 L12 18.1 L5 22.2 L6.7 14.3 L0.7 9 L8.7 8.2Z",
  "M12 1.5 L21 6.7 V17.3 L12 22.5 L3 17.3 V6.7Z",
] as const;
