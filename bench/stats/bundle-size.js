// Size of the package as a browser gets it: one minified module, gzip -9.
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const bundleSize = async () => {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('../../core/stats/dist/index.js', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const [file] = result.outputFiles;
  return { bytes: file.contents.length, gzipBytes: gzipSync(file.contents, { level: 9 }).length };
};
