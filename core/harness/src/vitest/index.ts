export { deadheat, type DeadheatPlugin } from './plugin.ts';
