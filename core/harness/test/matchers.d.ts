import type { MatcherOptions } from '../src/assert/index.ts';

declare module 'vitest' {
  interface Matchers {
    toBeSlowerThan(expected: unknown, options?: MatcherOptions): unknown;
    toBeFasterThan(expected: unknown, options?: MatcherOptions): unknown;
  }
}
