export { readTokenFile } from './access/tokens.ts';
export type { Access, Token } from './access/tokens.ts';
export { openAlerts, type ChannelOutcome } from './alerts/alerts.ts';
export type { FleetAccess } from './context.ts';
export { ServerError } from './errors.ts';
export type { ServerErrorCode } from './errors.ts';
export { readRepository, type Repositories } from './source/repositories.ts';
export type { RenderReport } from './source/report-shelf.ts';
export { startServer, type RunningServer, type ServerOptions } from './start-server.ts';
