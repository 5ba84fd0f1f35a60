import * as vite from 'vite';
import { deadheat } from '../vitest/plugin.ts';

export * from 'vite';

/** Vite's `createServer`, with the plugin that lets vitest 4 take part; vitest 5 gives it a configuration that is resolved already. */
export function createServer(config: vite.InlineConfig | vite.ResolvedConfig = {}): Promise<vite.ViteDevServer> {
  return vite.createServer('inlineConfig' in config ? config : withPlugin(config));
}

/** Vite's `resolveConfig`, with the plugin that lets vitest 5 take part. */
export function resolveConfig(
  config: vite.InlineConfig,
  ...rest: Tail<Parameters<typeof vite.resolveConfig>>
): Promise<vite.ResolvedConfig> {
  return vite.resolveConfig(withPlugin(config), ...rest);
}

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

function withPlugin(config: vite.InlineConfig): vite.InlineConfig {
  return { ...config, plugins: [...(config.plugins ?? []), deadheat() as vite.Plugin] };
}
