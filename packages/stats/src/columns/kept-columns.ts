/** Who could make its columns again. */
export interface ColumnOwner {
  forgetColumns(): void;
}

/** Most bytes of columns that are kept of all owners together. */
const mostBytes = 2 ** 25;
/** Columns of so few bytes stay: knowing of them would take more. */
export const shortColumnBytes: number = 2 ** 10;

/** Owners whose columns are kept, and the bytes of these, the oldest first. */
const kept: { readonly owner: WeakRef<ColumnOwner>; readonly bytes: number }[] = [];
let keptBytes = 0;

/**
 * Says that an owner made so many bytes of columns: what was made longest ago of all is forgotten beyond 32 MiB, so that many long series
 * can be gone through one after the other in little memory.
 */
export function keepColumns(owner: ColumnOwner, bytes: number): void {
  if (bytes <= shortColumnBytes) return;
  kept.push({ owner: new WeakRef(owner), bytes });
  keptBytes += bytes;
  while (keptBytes > mostBytes && kept.length > 1) {
    const oldest = kept.shift();
    keptBytes -= oldest?.bytes ?? 0;
    const forgotten = oldest?.owner.deref();
    if (forgotten !== owner) forgotten?.forgetColumns();
  }
}

/** What numbers take. */
export function bytesOf(columns: readonly { readonly byteLength: number }[]): number {
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
