import { createHash } from 'node:crypto';
import { pageScript, pageStyle } from './page-files.ts';

/** A file that pages load; its name changes with its content. */
export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

const asset = (content: string, name: string, type: string): Asset => ({
  path: `/assets/${createHash('sha256').update(content).digest('base64url').slice(0, 16)}-${name}`,
  type,
  content,
});

export const assets: Readonly<Record<'style' | 'script', Asset>> = {
  style: asset(pageStyle, 'style.css', 'text/css; charset=utf-8'),
  script: asset(pageScript, 'page.js', 'text/javascript; charset=utf-8'),
};
