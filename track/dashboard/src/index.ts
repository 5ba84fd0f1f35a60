export { alertMessageSchema } from './alerts/alert.ts';
export { alertsFileSchema } from './alerts/alerts-file.ts';
export { startServer } from './start-server.ts';
