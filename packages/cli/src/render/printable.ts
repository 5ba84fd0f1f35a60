export { printable } from '@deadheat/report';
