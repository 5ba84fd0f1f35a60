/** A drawn dot, in the units of its picture. */
export interface Dot {
  readonly x: number;
  readonly y: number;
}

/** Reads the places of dots back from the path that draws them: `M12,3.4h0m1-2h0`. */
export function readDots(path: string): readonly Dot[] {
  const dots: Dot[] = [];
  let [x, y] = [0, 0];
  for (const [, dx = '', dy = ''] of path.matchAll(/[Mm](-?\d*\.?\d+),?(-?\d*\.?\d+)h0/g)) {
    x += Number(dx);
    y += Number(dy);
    dots.push({ x, y });
  }
  return dots;
}
