/** Sum of values[offset + indices[i]] for i < count, with four running sums that do not wait for each other. */
export const sumDrawn = (values: Float64Array, offset: number, indices: Int32Array, count: number): number => {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < count; i += 4) {
    a += values[offset + indices[i]!]!;
    b += values[offset + indices[i + 1]!]!;
    c += values[offset + indices[i + 2]!]!;
    d += values[offset + indices[i + 3]!]!;
  }
  for (; i < count; i++) a += values[offset + indices[i]!]!;
  return a + b + (c + d);
};
