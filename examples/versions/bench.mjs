// Two versions of one package in a duet: side A takes the one that A names, side B the one that B names.
//   deadheat --harness --runs 10 'env VERSION=ms-2.0 node bench.mjs' 'env VERSION=ms-2.1 node bench.mjs'
import { bench, keep } from '@deadheat/harness';

const { default: ms } = await import(process.env.VERSION ?? 'ms-2.1');

bench('parse', () => keep(ms('2 days') + ms('1.5h') + ms('100')));
bench('format', () => keep(ms(172_800_000) + ms(61_000)));
