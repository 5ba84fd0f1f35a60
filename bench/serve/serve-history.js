import { startServer } from '@deadheat/dashboard';
import { openHistory } from '@deadheat/history';

/** Serves a history on a free port of this machine, beside a fleet or none. */
export function serveHistory(place, fleet = null) {
  return startServer({
    openHistory: () => openHistory(place, { forWriting: false, mayLag: true, variables: process.env }),
    fleet,
    renderReport: async () => '',
    tokens: [],
    host: '127.0.0.1',
    port: 0,
    toolVersion: '0.1.0',
    report: (error) => console.error(error),
  });
}
