// Checks before a release that the tag, the repository and every package.json agree: `node scripts/release.js v0.2.0 OWNER/deadheat`.
import { readFileSync } from 'node:fs';
import { root, workspaces } from './lib/workspaces.js';

const [tag, repository] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'));

const faults = [];
const named = read('package.json').repository.url;
const expected = `git+https://github.com/${repository}.git`;
if (named !== expected)
  faults.push(`package.json has the repository ${named}, not ${expected}: npm would refuse the provenance`);
const manifests = workspaces.map(({ house, name }) => read(`${house}/${name}/package.json`));
for (const { name, version, dependencies = {}, optionalDependencies = {} } of manifests) {
  if (`v${version}` !== tag) faults.push(`${name} has the version ${version}, not that of the tag ${tag}`);
  for (const [needed, wanted] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    const own = manifests.find((manifest) => manifest.name === needed);
    if (own !== undefined && own.version !== wanted)
      faults.push(`${name} wants ${needed} ${wanted}, which is ${own.version}`);
  }
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
