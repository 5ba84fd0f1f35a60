export { isSelfComparison } from '@deadheat/report';
