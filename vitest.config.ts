import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // End-to-end tests start duets on both cores; more files at once would only add noise.
    maxWorkers: 2,
  },
});
