export { compareFunctions, notSlower, type AssertOptions } from './assert.ts';
export { matchers, type MatcherOptions } from './matchers.ts';
