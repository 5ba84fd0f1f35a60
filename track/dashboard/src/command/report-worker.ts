import { parentPort } from 'node:worker_threads';
import { reportRecorded } from '@deadheat/engine';
import { renderPage } from '@deadheat/report';

/** A recording whose page is to be made. */
export interface PageRequest {
  readonly directory: string;
  /** Its name on the page: the folder may be one that nobody else sees. */
  readonly name: string;
}

async function answer({ directory, name }: PageRequest): Promise<string> {
  const { report, ...drawn } = await reportRecorded(directory, { segments: 'auto' });
  return renderPage({ report: { ...report, experiment: { ...report.experiment, recording: name } }, ...drawn });
}

parentPort?.on('message', (request: PageRequest) => {
  // A failure ends the worker, and is thrown where the page was asked for.
  void answer(request).then((page) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    parentPort?.postMessage(page);
  });
});
