export { watch } from './command.ts';
