// npm run bench [-- SUITE …]: runs the named suites, or all of them. A suite is a folder here with a main.js.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const all = readdirSync(here).filter((name) => existsSync(`${here}/${name}/main.js`));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : all;
for (const name of wanted) {
  if (!all.includes(name)) {
    console.error(`there is no suite '${name}'; there are: ${all.join(', ')}`);
    process.exit(2);
  }
  console.log(`\n# ${name}`);
  const { main } = await import(`./${name}/main.js`);
  await main();
}
