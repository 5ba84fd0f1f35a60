export { cancel, drain, forget, init, prune, roles } from './operate.ts';
export { worker } from './worker.ts';
