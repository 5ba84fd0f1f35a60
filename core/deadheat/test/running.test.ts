import { describe, expect, it } from 'vitest';
import type { EngineEvent } from '@deadheat/model';
import type { ExperimentEvent } from '../src/library/options.ts';
import { running, type FinishedSession } from '../src/library/running.ts';

const event = (message: string): EngineEvent => ({ kind: 'warning', warning: { code: 'LOAD', message } });

/** An experiment that tells of 2500 warnings, from `0` on. */
function many(): ReturnType<typeof running> {
  return running(async ({ onEvent }) => {
    await Promise.resolve();
    for (let number = 0; number < 2500; number++) onEvent(event(String(number)));
    return { outcome: { kind: 'done' }, report: {} } as FinishedSession;
  }, {});
}

async function read(experiment: AsyncIterable<ExperimentEvent>): Promise<readonly ExperimentEvent[]> {
  const events: ExperimentEvent[] = [];
  for await (const one of experiment) events.push(one);
  return events;
}

describe('the events of an experiment', () => {
  it('are all read by whoever begins with it, each in its order, however slow', async () => {
    const experiment = many();
    const events = await Promise.all([read(experiment), read(experiment)]);
    const all = Array.from({ length: 2500 }, (_, number) => event(String(number)));
    expect(events).toEqual([all, all]);
  });

  it('are the newest 1000 for who begins at the end, so that memory does not grow with the experiment', async () => {
    const experiment = many();
    await experiment.settled;
    expect(await read(experiment)).toEqual(Array.from({ length: 1000 }, (_, k) => event(String(1500 + k))));
  });
});
