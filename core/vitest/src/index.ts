export { deadheat, type DeadheatPlugin } from '@deadheat/harness/vitest';
