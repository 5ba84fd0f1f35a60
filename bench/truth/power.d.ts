/** One of the cells of `sensitivity`. */
interface SensitivityCell {
  readonly way: 'tandem' | 'sync-duet' | 'async-duet' | 'paired' | 'unpaired';
  readonly shape: string;
  readonly runs: number;
  readonly confidence: number;
}

export function sensitivity(
  cell: SensitivityCell,
  options: { readonly draws: number; readonly settings: object },
): { readonly draws: number; readonly slower: number; readonly logSlowdown: number };
