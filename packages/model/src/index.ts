export * from './config.ts';
export * from './event.ts';
export * from './iteration.ts';
export * from './machine.ts';
export * from './recording.ts';
export * from './report.ts';
export * from './vocabulary.ts';
export * from './warning.ts';
