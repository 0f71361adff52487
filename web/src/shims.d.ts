declare module "words:*" {
  const found: Record<string, unknown>;
  export default found;
}
declare module "*.svg?art" {
  const symbol: string;
  export default symbol;
}
declare module "subset-font" {
  type Axis = number | { min: number; max: number };
  export default function subsetFont(
    font: Buffer,
    letters: string,
    options: { targetFormat: "woff2"; variationAxes: Record<string, Axis> },
  ): Promise<Buffer>;
}
