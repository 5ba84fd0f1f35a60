export * from './iteration-row.ts';
export * from './read-iterations-parquet.ts';
export * from './record-error.ts';
export * from './write-iterations-parquet.ts';
