export { UsageError } from './errors/usage-error.ts';
