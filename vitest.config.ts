import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, longest first: what begins last should be short, so that no core waits for the other. */
const longest = [
  'e2e/containers',
  'e2e/versions',
  'e2e/stable',
  'e2e/tandem',
  'e2e/taking-part',
  'e2e/failing',
  'e2e/comparing',
  'e2e/configured',
  'e2e/docker-client',
  'e2e/examples',
  'e2e/simulate',
  'e2e/duetbench',
  'e2e/harness',
  'clients/clients',
  'conformance/check-protocol',
  'e2e/planning',
  'report/test/browser',
  'e2e/',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((part) => moduleId.includes(part));
      return found === -1 ? longest.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ['{core,track,lab}/*/test/**/*.test.ts'],
    globalSetup: ['core/cli/test/e2e/bundle-command.ts'],
    sequence: { sequencer: LongestFirst },
    // What was built is read as Node reads it, not once more through Vite for every file.
    server: { deps: { external: [/\/(?:core|track|lab)\/[^/]+\/dist\//] } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is imported is imported once for all files of a worker; none changes what others import.
    isolate: false,
    // One more than CPUs of the smallest machine that runs everything: end-to-end tests spend part of their time waiting.
    maxWorkers: 3,
  },
});
