import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.golden.test.ts'],
    testTimeout: 600_000,
    maxWorkers: 2,
  },
});
