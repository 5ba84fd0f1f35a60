export { alert } from './alert.ts';
export { serve } from './serve.ts';
