export * from './report-stream.ts';
export * from './to-csv.ts';
export * from './to-json.ts';
export * from './to-markdown.ts';
