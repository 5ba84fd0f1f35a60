import '@deadheat/harness/vitest/matchers';
