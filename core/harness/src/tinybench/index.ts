export * from 'tinybench';
export { Bench } from './bench.ts';
