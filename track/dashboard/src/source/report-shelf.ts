import { join } from 'node:path';
import { makeTemporaryFolder, removeRegistered } from '@deadheat/sync';
import type { HistorySource } from './history-source.ts';

/** Renders the page of a recording in a temporary folder; `name` is the name of the recording on the page. */
export type RenderReport = (directory: string, name: string) => Promise<string>;

const mostPages = 20;

/**
 * Pages of whole experiments. Each is rendered from its recording at the first request, one at a time, and some are
 * cached, because a recording does not change.
 */
export class ReportShelf {
  readonly #source: HistorySource;
  readonly #render: RenderReport;
  readonly #pages = new Map<string, Promise<string>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(source: HistorySource, render: RenderReport) {
    this.#source = source;
    this.#render = render;
  }

  /** The page of an experiment as HTML. @throws HistoryError `NOT_FOUND` */
  async page(experiment: string): Promise<string> {
    const found = this.#pages.get(experiment);
    if (found !== undefined) return found;
    const before = this.#last;
    const made = (async () => {
      await before.catch(() => undefined);
      return this.#make(experiment);
    })();
    this.#last = made;
    this.#pages.set(experiment, made);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= mostPages) break;
      this.#pages.delete(oldest);
    }
    try {
      return await made;
    } catch (error) {
      this.#pages.delete(experiment);
      throw error;
    }
  }

  async #make(experiment: string): Promise<string> {
    const folder = makeTemporaryFolder('serve');
    try {
      const directory = join(folder, 'recording');
      await this.#source.useApart((history) => history.pull(experiment, directory));
      return await this.#render(directory, experiment);
    } finally {
      removeRegistered(folder);
    }
  }
}
