declare module "words:*" {
  const found: Record<string, unknown>;
  export default found;
}
declare module "*.svg?art" {
  const symbol: string;
  export default symbol;
}
