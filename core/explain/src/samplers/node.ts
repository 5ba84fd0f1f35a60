import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DeadheatError, type Frame } from '@deadheat/model';
import { RunCollector } from '../sampled-run.ts';
import { type Sampler, withFirst } from './sampler.ts';
import { SourceMaps } from './source-maps.ts';

/**
 * Runs in every thread of the program before its own code. `node --cpu-prof` is no option of NODE_OPTIONS in Node 20, and the
 * program may be started by a script; the inspector's profiler is the same one.
 */
const preload = `'use strict';
const { Session } = require('node:inspector');
const { writeFileSync } = require('node:fs');
const { threadId } = require('node:worker_threads');
const { DEADHEAT_PROFILE_FOLDER: folder, DEADHEAT_PROFILE_INTERVAL: interval } = process.env;
if (folder) {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: Number(interval) });
  session.post('Profiler.start');
  process.on('exit', () => {
    session.post('Profiler.stop', (error, result) => {
      if (error) return;
      const name = folder + '/' + process.pid + '-' + threadId + '-' + process.hrtime.bigint() + '.cpuprofile';
      writeFileSync(name, JSON.stringify(result.profile));
    });
  });
}
`;

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
    readonly columnNumber: number;
  };
  readonly hitCount?: number;
  readonly children?: readonly number[];
}

/** The CPU profiler of V8. */
export const nodeSampler: Sampler = {
  runtime: 'node',
  name: 'the CPU profiler of V8',
  // At 0.56 ms sampling took 26 % of CPU time more, at 2 ms 12 % (`npm run bench -- explain overhead`).
  leastIntervalNs: 2_000_000,
  repeats: false,
  check: async () => {},
  launch: ({ argv, environment }, { folder, intervalNs }) => {
    const script = join(dirname(folder), 'sampler.cjs');
    writeFileSync(script, preload);
    const options = withFirst(environment, {
      name: 'NODE_OPTIONS',
      value: `--require=${JSON.stringify(script)}`,
      separator: ' ',
    });
    const interval = `${Math.round(intervalNs / 1000)}`;
    return {
      argv,
      environment: { ...options, DEADHEAT_PROFILE_FOLDER: folder, DEADHEAT_PROFILE_INTERVAL: interval },
    };
  },
  read: async (folder) => {
    const run = new RunCollector();
    const maps = new SourceMaps();
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.cpuprofile'))) {
      readCpuProfile(readFileSync(join(folder, name), 'utf8'), { name, run, maps });
    }
    return run.build();
  },
};

/** Nodes of V8 in which the thread does not run. */
const idle = new Set(['(idle)', '(root)']);

/**
 * Adds the samples of a `.cpuprofile`. Samples are counted: the time between them is that of the wall, which other work on the core
 * has a part in.
 *
 * @throws DeadheatError `PROFILE_MALFORMED`
 */
export function readCpuProfile(
  text: string,
  { name, run, maps }: { readonly name: string; readonly run: RunCollector; readonly maps: SourceMaps },
): void {
  const nodes = new Map<number, ProfileNode>();
  const parents = new Map<number, number>();
  try {
    const profile = JSON.parse(text) as { readonly nodes: readonly ProfileNode[] };
    for (const node of profile.nodes) {
      nodes.set(node.id, node);
      for (const child of node.children ?? []) parents.set(child, node.id);
    }
  } catch (cause) {
    throw new DeadheatError('PROFILE_MALFORMED', `${name} is no profile of V8: ${(cause as Error).message}.`, {
      cause,
    });
  }
  const known = new Map<number, Frame>();
  for (const node of nodes.values()) {
    const { functionName } = node.callFrame;
    if ((node.hitCount ?? 0) === 0 || idle.has(functionName)) continue;
    const chain: ProfileNode[] = [];
    for (let at: number | undefined = node.id; at !== undefined; at = parents.get(at)) {
      const one = nodes.get(at);
      if (one === undefined || one.callFrame.functionName === '(root)') break;
      chain.push(one);
    }
    let outer = '';
    const frames = chain.toReversed().map((one) => {
      const frame = known.get(one.id) ?? toFrame(one, { outer, maps });
      known.set(one.id, frame);
      outer = frame.name;
      return run.frame(frame);
    });
    run.add(frames, node.hitCount ?? 0);
  }
}

/** A function by its source; an anonymous one is named after its caller, so that its name outlives a move to another line. */
function toFrame(
  { callFrame }: ProfileNode,
  { outer, maps }: { readonly outer: string; readonly maps: SourceMaps },
): Frame {
  const { functionName, url, lineNumber } = callFrame;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const isModule = functionName === '' && lineNumber === 0;
  const unnamed = isModule ? '(module)' : `(anonymous in ${outer.replace(/^\(anonymous in (.*)\)$/, '$1')})`;
  const original = isAbsolute(file) && !isModule ? maps.find({ ...callFrame, file }) : null;
  const named = original ?? { name: functionName, file, line: lineNumber < 0 ? null : lineNumber + 1 };
  return { ...named, name: named.name === '' ? unnamed : named.name };
}
