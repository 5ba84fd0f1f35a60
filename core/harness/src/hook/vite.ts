import * as vite from 'vite';
import { deadheat } from '../vitest/plugin.ts';

export * from 'vite';

/** Vite's `createServer`, with the plugin that lets vitest take part. */
export function createServer(config: vite.InlineConfig = {}): Promise<vite.ViteDevServer> {
  return vite.createServer({ ...config, plugins: [...(config.plugins ?? []), deadheat() as vite.Plugin] });
}
