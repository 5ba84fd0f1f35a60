import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of the paths of files that take longest, longest first: the last files should be short, so that no core waits for the other. */
const longest = [
  'e2e/containers',
  'e2e/fleet-walk-through',
  'e2e/docker-client',
  'e2e/slurm',
  'e2e/gridengine',
  'e2e/kubernetes',
  'e2e/fuzz',
  'e2e/versions',
  'e2e/examples',
  'e2e/taking-part',
  'e2e/tandem',
  'e2e/failing',
  'e2e/stable',
  'e2e/planning',
  'e2e/comparing',
  'e2e/harness',
  'e2e/',
  'clients/clients',
  'conformance/check-protocol',
];

/** The longest files first, project by project, because a worker is used again only for files of the same project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const project = ({ project: { name } }: TestSpecification): number =>
      projects.findIndex((one) => one.name === name);
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((part) => moduleId.includes(part));
      return found === -1 ? longest.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => project(a) - project(b) || place(a) - place(b));
  }
}

const testFiles = (pattern: string): string => `{core,track,lab}/*/test/**/${pattern}`;
/** Files whose tests need podman, docker, PostgreSQL, pgbouncer, Slurm, Grid Engine, kubectl or a browser. */
const services = ['*.service.test.ts'].map(testFiles);
/** Files whose tests measure programs with the whole command. */
const endToEnd = ['e2e/**/*.test.ts'].map(testFiles);

const projects: readonly { readonly name: string; readonly include: string[]; readonly exclude: string[] }[] = [
  { name: 'services', include: services, exclude: [] },
  { name: 'e2e', include: endToEnd, exclude: services },
  { name: 'unit', include: [testFiles('*.test.ts')], exclude: [...services, ...endToEnd] },
];

const shared: ViteUserConfig['test'] = {
  // Packages that are built are read as Node reads them, not once more through Vite for every file.
  server: { deps: { external: [/\/(?:core|track|lab)\/[^/]+\/dist\//] } },
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // A module is imported once for all files of a worker; no test changes what others import.
  isolate: false,
  // One more than CPUs of the smallest machine that runs everything: end-to-end tests spend part of their time waiting.
  maxWorkers: 3,
};

export default defineConfig({
  test: {
    globalSetup: ['core/cli/test/e2e/bundle-command.ts'],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 3,
    projects: projects.map((project) => ({ test: { ...shared, ...project } })),
  },
});
