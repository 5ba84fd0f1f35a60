export { matchers } from '@deadheat/harness/vitest/matchers';
