export { prune } from './prune.ts';
export { pull } from './pull.ts';
export { push } from './push.ts';
export { show } from './show.ts';
export { fromOption, parseAge } from './place-options.ts';
