import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPage, pageBytes, pageMagic, pageVersion, type Page } from '@deadheat/sync';
import type { Scenario } from './scenario.ts';

/** Version of the page that a program must refuse. */
export const newerPageVersion: number = pageVersion + 6;

/** What DEADHEAT_PAGE names in a scenario. */
export interface PageFile {
  /** Empty = there is none. */
  readonly path: string;
  /** The page, when it is one. */
  readonly page: Page | null;
  /** Whether the file is not as it was made; `false` for a page. */
  readonly isTouched: () => boolean;
}

/** Makes what DEADHEAT_PAGE is to name: a page in `shared`, or a file in `folder` that is none. */
export function makePageFile(
  kind: Scenario['page'],
  { shared, folder }: { readonly shared: string; readonly folder: string },
): PageFile {
  if (kind === 'none') return { path: '', page: null, isTouched: () => false };
  if (kind === 'page') {
    const page = createPage(shared);
    return { path: page.path, page, isTouched: () => false };
  }
  const path = join(folder, 'page');
  const bytes = contentOf(kind);
  writeFileSync(path, bytes);
  return { path, page: null, isTouched: () => !readFileSync(path).equals(bytes) };
}

function contentOf(kind: 'newer' | 'foreign' | 'short'): Buffer {
  if (kind === 'short') return Buffer.from('DHPG');
  if (kind === 'foreign') return Buffer.alloc(pageBytes, 'x');
  const bytes = Buffer.alloc(pageBytes);
  new Int32Array(bytes.buffer, bytes.byteOffset, 3).set([pageMagic, newerPageVersion, 2]);
  return bytes;
}
