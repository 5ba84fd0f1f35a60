import type { SettingFiles } from './setting-files.ts';

/**
 * Writes and looks whether it holds: a kernel may take a value without a word and keep its own.
 *
 * @returns why it does not hold; `null` = it does
 */
export function writeSetting(
  files: SettingFiles,
  { path, value }: { readonly path: string; readonly value: string },
): string | null {
  try {
    files.write(path, value);
  } catch (error) {
    return (error as Error).message;
  }
  const now = files.read(path);
  return now === value ? null : `the kernel keeps ${now ?? 'nothing readable'} there`;
}
