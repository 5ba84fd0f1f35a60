export * from './analysis-error.ts';
export * from './pairing/grand-geometric-mean.ts';
export * from './pairing/overlaps.ts';
export * from './pairing/paired-ratios.ts';
export * from './pairing/relative-overlap-time.ts';
export * from './pairing/run-geometric-means.ts';
export * from './pairing/runs-of-times.ts';
export * from './pairing/time-span.ts';
