// Writes everything in the repository that is made from code. `npm run check` fails when it is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';
import { z } from 'zod';
import { errorCodes, experimentSchema, journalLineSchema, reportSchema, warningFacts } from '@deadheat/model';
import { formatReader } from '@deadheat/lab';
import { formats } from '@deadheat/readers';
import { withNames } from 'deadheat/settings';
import { deadheatFileSchema } from '../core/deadheat/dist/config/deadheat-file.js';
import { optionTables } from '../core/deadheat/dist/settings/experiment-table.js';
import { spelling } from '../core/deadheat/dist/settings/layer-of-flags.js';
import { pageFields } from '../core/sync/dist/page-layout.js';
import { exitCodeOfCategory } from '../core/cli/dist/errors/exit-codes.js';
import { main } from '../core/cli/dist/main.js';
import { helpPages } from '../core/cli/dist/program/help-pages.js';
import { compare } from '../core/cli/dist/commands/compare.js';
import { commandTree } from './lib/command-tree.js';
import { completions } from './lib/completions.js';
import { declarationsOf } from './lib/declarations.js';
import { manPage } from './lib/man-page.js';
import { alertMessageSchema, alertsFileSchema } from '@deadheat/dashboard';

const root = fileURLToPath(new URL('..', import.meta.url));
const options = await resolveConfig(`${root}/package.json`);

async function write(path, text) {
  writeFileSync(`${root}/${path}`, await format(text, { ...options, filepath: path }));
}

for (const [name, schema] of Object.entries({
  experiment: experimentSchema,
  trial: journalLineSchema,
  report: reportSchema,
  alert: alertMessageSchema,
})) {
  const { $schema, ...rest } = z.toJSONSchema(schema);
  await write(`docs/formats/${name}.schema.json`, JSON.stringify({ $schema, title: `deadheat ${name}`, ...rest }));
}

/** The help of every option of the library, by the key around it and its own, in camel case. */
function helpOfOptions() {
  const camel = (key) => key.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase());
  const help = new Map([
    ['A', 'Of side A, the baseline.'],
    ['B', 'Of side B, the candidate.'],
  ]);
  const walk = (schema, around) => {
    for (const [key, inner] of Object.entries(schema.properties ?? {})) {
      const name = camel(key);
      if (inner.description !== undefined) help.set(`${around}.${name}`, inner.description);
      const isLevel = key === 'A' || key === 'B';
      walk(inner, isLevel ? '' : name);
      if (typeof inner.additionalProperties === 'object') walk(inner.additionalProperties, '');
    }
    for (const one of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(one, around);
    if (schema.items !== undefined) walk(schema.items, around);
  };
  walk(z.toJSONSchema(deadheatFileSchema, { io: 'input', unrepresentable: 'any' }), '');
  return (key, around) => help.get(`${around}.${key}`) ?? help.get(`.${key}`) ?? help.get(key);
}

await write('core/deadheat/types/index.d.ts', declarationsOf(`${root}core/deadheat/src/index.ts`, helpOfOptions()));

async function bundle(file) {
  const built = await build({
    entryPoints: [`${root}/${file}`],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    legalComments: 'none',
  });
  return built.outputFiles[0].text.trim();
}

const page = {};
for (const [name, file] of Object.entries({ pageScript: 'main.ts', pageStyle: 'style.css', plotStyle: 'plot.css' })) {
  page[name] = await bundle(`core/report/page/${file}`);
  const sha = createHash('sha256').update(page[name]).digest('base64');
  page[`${name}Hash`] = `sha256-${sha}`;
}
await write(
  'core/report/src/html/page-files.ts',
  `/** Generated from core/report/page: script and style of a report, and what its content security policy knows them by. */
${['pageScript', 'pageScriptHash', 'pageStyle', 'pageStyleHash', 'plotStyle']
  .map((name) => `export const ${name}: string = ${JSON.stringify(page[name])};`)
  .join('\n')}
`,
);
await write(
  'track/dashboard/src/html/page-files.ts',
  `/** Generated from track/dashboard/page: script and style of the dashboard. */
export const pageScript: string = ${JSON.stringify(await bundle('track/dashboard/page/main.ts'))};
export const pageStyle: string = ${JSON.stringify(await bundle('track/dashboard/page/style.css'))};
`,
);

const { $schema, ...file } = z.toJSONSchema(deadheatFileSchema, { io: 'input' });
const fileSchema = JSON.stringify({
  $schema,
  title: 'deadheat.yaml',
  description: 'An experiment of deadheat.',
  ...file,
});
await write('core/deadheat/schema/deadheat.schema.json', fileSchema);

const { $schema: dialect, ...alerts } = z.toJSONSchema(alertsFileSchema, { io: 'input' });
await write(
  'track/dashboard/alerts.schema.json',
  JSON.stringify({ $schema: dialect, title: 'alerts of deadheat', description: 'Who is told what is new.', ...alerts }),
);
const rowsOf = (properties) =>
  Object.entries(properties).map(
    ([key, { description }]) => `| \`${key}\` | ${description.replaceAll('|', String.raw`\|`)} |`,
  );
const keysOfAlerts = [
  '| key | meaning |',
  '| --- | --- |',
  ...rowsOf(alerts.properties),
  '',
  'Of a channel:',
  '',
  '| key | meaning |',
  '| --- | --- |',
  ...rowsOf(alerts.properties.channels.additionalProperties.properties),
].join('\n');
await write(
  'docs/alerts.md',
  readFileSync(`${root}/docs/alerts.md`, 'utf8').replace(
    /<!-- generated: alerts -->[^]*?<!-- end -->/,
    () => `<!-- generated: alerts -->\n\n${keysOfAlerts}\n\n<!-- end -->`,
  ),
);

const table = [
  '| byte | field | writer | meaning |',
  '| --- | --- | --- | --- |',
  ...pageFields().map((field) => `| ${field.offsetBytes} | ${field.name} | ${field.writer} | ${field.meaning} |`),
].join('\n');
const protocol = readFileSync(`${root}/docs/formats/protocol.md`, 'utf8');
await write(
  'docs/formats/protocol.md',
  protocol.replace(
    /<!-- generated: page fields -->[^]*?<!-- end -->/,
    `<!-- generated: page fields -->\n\n${table}\n\n<!-- end -->`,
  ),
);

const imports = readFileSync(`${root}/docs/formats/imports.md`, 'utf8');
const tableOfFormats = [
  '| `--format` | file | what becomes what | cannot support |',
  '| --- | --- | --- | --- |',
  ...formats.map((known) => {
    const { reads, cannot, holdsWarmup } = 'read' in known ? known : formatReader(known.id);
    const limits = cannot.map((code) => `\`${code}\``).join(', ');
    return `| \`${known.id}\`${'read' in known ? '' : ' (lab)'} | ${known.describe} | ${reads}${holdsWarmup ? '; the first half of a run is warm-up' : ''} | ${limits} |`;
  }),
].join('\n');
await write(
  'docs/formats/imports.md',
  imports.replace(
    /<!-- generated: formats -->[^]*?<!-- end -->/,
    () => `<!-- generated: formats -->\n\n${tableOfFormats}\n\n<!-- end -->`,
  ),
);

const tableOfOptions = (options) =>
  [
    '| key | flag | meaning | default |',
    '| --- | --- | --- | --- |',
    ...Object.entries(options).map(([key, { help, fallback, flags, page }]) => {
      const inCode = (text) => withNames(text, (name) => `\`${name}\``).replaceAll('|', String.raw`\|`);
      const more = page === undefined ? '' : ` ([more](${page.replace('configuration.md', '')}))`;
      const spelled = flags.map((flag) => `\`${spelling(flag)}\``).join(', ');
      return `| \`${key}\` | ${spelled} | ${inCode(help)}${more} | ${fallback === null ? '-' : inCode(fallback)} |`;
    }),
  ].join('\n');
let configured = readFileSync(`${root}/docs/configuration.md`, 'utf8');
for (const [name, options] of Object.entries(optionTables)) {
  const place = new RegExp(`<!-- generated: ${name} -->[^]*?<!-- end -->`);
  const table = `<!-- generated: ${name} -->\n\n${tableOfOptions(options)}\n\n<!-- end -->`;
  configured = configured.replace(place, () => table);
}
await write('docs/configuration.md', configured);

/** What the command answers; in this process, because to start it takes a second each time. */
async function help(...args) {
  let text = '';
  const stream = { on: () => stream, write: (part) => (text += part) };
  const status = await main([...args, '--help', 'all'], { stdout: stream, stderr: stream, env: process.env });
  if (status !== 0) throw new Error(text);
  return text.trimEnd();
}

const sections = [];
for (const args of await helpPages()) {
  sections.push(`\n## ${['deadheat', ...args].join(' ')}\n\n\`\`\`text\n${await help(...args)}\n\`\`\``);
}
const exitCodes = [
  '',
  '## Exit codes',
  '',
  'Of a report: 0 done; 1 a benchmark is slower (`--fail-on slower`); 5 a control fired; 6 one was not measured well',
  'enough (`--fail-on`). Of an error, by its `code`, which messages of the library have too:',
  '',
  '| exit code | category | codes |',
  '| --- | --- | --- |',
  ...Object.entries(errorCodes).map(
    ([category, codes]) =>
      `| ${exitCodeOfCategory[category]} | ${category} | ${codes.map((code) => `\`${code}\``).join(', ')} |`,
  ),
  '',
  '## Warnings',
  '',
  'The terminal shows one line of each warning that bears on what to do; the report, the JSON result and `--details` have the whole message, and `deadheat help CODE` what the code means. Of the kinds `width` and `disturbance` it shows those of an open verdict, and `disturbance` also where the sides do not share a core; `note` stands in the report alone.',
  '',
  '| code | kind | meaning |',
  '| --- | --- | --- |',
  ...Object.entries(warningFacts).map(([code, { kind, meaning }]) => `| \`${code}\` | ${kind} | ${meaning} |`),
];
await write(
  'docs/command-line.md',
  ['# The command line', '', 'Generated from `--help all`.', ...sections, ...exitCodes, ''].join('\n'),
);

const tree = await commandTree();
for (const [shell, script] of Object.entries(completions(tree))) {
  writeFileSync(`${root}/core/cli/completions/deadheat.${shell}`, script);
}
const { version } = JSON.parse(readFileSync(`${root}/core/deadheat/package.json`, 'utf8'));
writeFileSync(`${root}/core/deadheat/man/deadheat.1`, manPage(tree, { ...compare, version }));
