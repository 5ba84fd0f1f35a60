export { readTokenFile } from './access/read-token-file.ts';
export type { Access, Token } from './access/token.ts';
export type { FleetAccess } from './context.ts';
export { ServerError, type ServerErrorCode } from './server-error.ts';
export type { RenderReport } from './source/report-shelf.ts';
export { startServer, type RunningServer, type ServerOptions } from './start-server.ts';
