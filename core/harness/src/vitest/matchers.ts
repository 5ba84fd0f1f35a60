import { expect } from 'vitest';
import { matchers } from '../assert/matchers.ts';

// For `setupFiles` of vitest.
expect.extend(matchers as Parameters<typeof expect.extend>[0]);

export { matchers } from '../assert/matchers.ts';
