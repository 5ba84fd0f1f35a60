export * from 'mitata';
export { bench, group, run } from './run.ts';
