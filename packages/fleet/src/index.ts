export { FleetError, type FleetErrorCode } from './fleet-error.ts';
