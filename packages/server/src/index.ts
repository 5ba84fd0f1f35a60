export { ServerError, type ServerErrorCode } from './server-error.ts';
