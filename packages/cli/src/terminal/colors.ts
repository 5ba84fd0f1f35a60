import pc from 'picocolors';

/** Functions that wrap a text in escape sequences, or leave it as it is. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Colours of a style. */
export function createColors({ color }: { readonly color: boolean }): Colors {
  return pc.createColors(color);
}
