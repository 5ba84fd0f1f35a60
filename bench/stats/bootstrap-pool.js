// Spreads a hierarchical bootstrap over worker threads. The replicates are the same bits for any number of workers.
import { Worker } from 'node:worker_threads';

export class BootstrapPool {
  // oxlint-disable-next-line typescript/prefer-readonly -- plain JavaScript has no such modifier
  #workers;

  constructor(size) {
    const file = new URL('bootstrap-worker.js', import.meta.url);
    this.#workers = Array.from({ length: size }, () => new Worker(file));
  }

  /** `options`: sample (flat, best in shared memory), seed, replicates, levels, weights. */
  async replicates(options) {
    const parts = await Promise.all(
      this.#workers.map(
        (worker, index) =>
          new Promise((resolve, reject) => {
            worker.once('message', resolve);
            worker.once('error', reject);
            // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
            worker.postMessage({ ...options, part: { index, of: this.#workers.length } });
          }),
      ),
    );
    const out = new Float64Array(options.replicates);
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  }

  async close() {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
