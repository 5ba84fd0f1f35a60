export { countOf } from '@deadheat/report';
