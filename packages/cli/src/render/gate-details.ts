export { gateDetails } from '@deadheat/report';
