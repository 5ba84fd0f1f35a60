export { decidingInterval } from '@deadheat/model';
