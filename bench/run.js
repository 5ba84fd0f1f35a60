// npm run bench: every suite, one after the other. npm run bench -- NAME [arguments]: bench/NAME/index.js.
import { existsSync, readdirSync } from 'node:fs';

const [name, ...rest] = process.argv.slice(2);
const suites = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/index.js`, import.meta.url)))
  .map((entry) => entry.name);

if (name !== undefined && !suites.includes(name)) {
  console.error(`usage: npm run bench -- [NAME], one of: ${suites.join(', ')}`);
  process.exitCode = 2;
} else {
  for (const suite of name === undefined ? suites : [name]) {
    console.log(`\n# ${suite}\n`);
    const { run } = await import(new URL(`${suite}/index.js`, import.meta.url));
    await run(rest);
  }
}
