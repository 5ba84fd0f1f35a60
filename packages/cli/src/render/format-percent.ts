export { formatChosenShare, formatDifference, formatShare, percentDigits } from '@deadheat/report';
