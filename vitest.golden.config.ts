import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{core,track,lab}/*/test/**/*.golden.test.ts'],
    testTimeout: 600_000,
    maxWorkers: 2,
  },
});
