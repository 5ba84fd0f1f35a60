// Makes the documentation a site of static files, which works from any folder, also without a server, and asks nothing of the network:
// every page of `docs` and the Markdown beside it, the reports' pictures, the JSON Schemas, and an index for the search.
// As a program (`npm run site`) it writes the folder `site`, or the folder that its argument names.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readPages } from './site/pages.js';
import { searchIndex } from './site/search.js';
import { pageHtml } from './site/template.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * Writes the site of a repository into a folder, which is emptied before.
 *
 * @param options.root folder with `docs` and `package.json`, of which `repository` is where links to other files lead
 * @returns the pages and the links of each to other pages, by their places in the folder
 * @throws an error with a line for each link, heading or page that is wrong, as FILE:LINE: MESSAGE
 */
export async function buildSite(folder, { root = join(here, '..') } = {}) {
  const { pages, menu, repository, problems } = readPages(root);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) write(folder, page.place, pageHtml(page, { menu, repository }));
  write(folder, 'search-index.js', `var searchIndex = ${JSON.stringify(searchIndex(pages))};\n`);
  for (const name of readdirSync(join(root, 'docs'), { recursive: true })) {
    if (/\.(?:png|svg|json)$/.test(name)) cpSync(join(root, 'docs', name), join(folder, name));
  }
  await build({
    entryPoints: [join(here, 'site/page.js'), join(here, 'site/style.css')],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'inline',
    logLevel: 'error',
  });
  return pages.map(({ place, links }) => ({ place, links }));
}

function write(folder, place, text) {
  const path = join(folder, place);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(here, '../site'));
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, 'search-index.js'))) {
    throw new Error(`${folder} holds files that are not those of a site; name another folder`);
  }
  try {
    const pages = await buildSite(folder);
    console.log(`${pages.length} pages: ${join(folder, 'index.html')}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
