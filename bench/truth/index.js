// What verdicts promise against what they do, simulated: how often intervals miss, what is seen, what families of benchmarks err.
// npm run bench -- truth [PART...] [--draws 4000] [--ways tandem,paired] [--shapes normal] [--runs 5,20] [--confidences 0.99]
// [--interval t] [--replicates 1000] [--threads 2] [--results FILE] [--write]
// --write puts the tables of the parts into docs/methods/truth.md.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { root } from '../lib/tools.js';
import { rules } from './families.js';
import { goals, models } from './plans.js';
import { ways } from './recordings.js';
import { shapes } from './shapes.js';
import {
  controlsText,
  coverageText,
  doctorText,
  familiesText,
  plansText,
  powerText,
  sensitivityText,
  shapesText,
  stopsText,
  tellable,
} from './tables.js';

const options = {
  draws: { type: 'string', default: '4000' },
  ways: { type: 'string' },
  shapes: { type: 'string' },
  runs: { type: 'string' },
  confidences: { type: 'string' },
  rules: { type: 'string' },
  interval: { type: 'string' },
  replicates: { type: 'string', default: '1000' },
  threads: { type: 'string', default: '1' },
  results: { type: 'string' },
  write: { type: 'boolean', default: false },
};

/** Every combination of one value of each list. */
function product(lists) {
  return Object.entries(lists).reduce(
    (cells, [name, values]) => cells.flatMap((cell) => values.map((value) => ({ ...cell, [name]: value }))),
    [{}],
  );
}

const confidences = [0.95, 0.99];

/**
 * By name, the simulation of a part, its cells where nothing restricts them, how many draws of a cell there are for so many asked for,
 * its results as Markdown, and
 * `isOfErrors` where those are shares of errors.
 */
const parts = {
  coverage: {
    simulation: 'coverage',
    lists: { way: Object.keys(ways), shape: Object.keys(shapes), runs: [5, 10, 20, 40, 100] },
    bothAtOnce: true,
    drawsOf: (_cell, draws) => draws,
    isOfErrors: true,
    text: coverageText,
  },
  power: {
    simulation: 'power',
    lists: { way: Object.keys(ways), shape: ['normal', 'spikes'], runs: [10, 20, 40, 100], confidence: confidences },
    drawsOf: (_cell, draws) => draws,
    text: powerText,
  },
  sensitivity: {
    simulation: 'sensitivity',
    lists: {
      way: ['tandem', 'sync-duet', 'paired', 'unpaired'],
      shape: Object.keys(shapes).filter((name) => shapes[name].differs !== true),
      runs: [5, 10, 20, 40],
      confidence: confidences,
    },
    drawsOf: (_cell, draws) => draws,
    text: sensitivityText,
  },
  /** What `deadheat doctor` says that this machine sees. */
  doctor: {
    simulation: 'doctor',
    lists: { shape: ['normal', 't3', 'spikes', 'layout-modes', 'shared-ar', 'cores-ar', 'drift'], runs: [6, 12, 30] },
    drawsOf: (_cell, draws) => Math.ceil(draws / 2),
    text: doctorText,
  },
  /** What `deadheat plan` promises after `deadheat calibrate`. */
  plans: {
    simulation: 'plans',
    lists: {
      way: ['tandem', 'paired'],
      model: Object.keys(models),
      goal: Object.keys(goals),
      shortRuns: [10, 25],
      confidence: [0.99],
    },
    // A calibration takes a tenth of a second.
    drawsOf: (_cell, draws) => Math.ceil(draws / 4),
    text: plansText,
  },
  families: {
    simulation: 'families',
    lists: {
      rule: Object.keys(rules),
      way: ['tandem'],
      shape: ['normal'],
      size: [1, 2, 20, 100],
      slow: ['none', 'one', 'all'],
    },
    // So that a family of a hundred does not take a hundred times as long.
    drawsOf: ({ size }, draws) => Math.ceil(draws / (size > 2 ? size / 2 : 1)),
    isOfErrors: true,
    text: familiesText,
  },
  controls: {
    simulation: 'controls',
    lists: {
      rule: Object.keys(rules),
      way: ['tandem'],
      shape: ['normal'],
      size: [1, 2, 3, 4, 5],
      slow: ['none', 'one'],
    },
    drawsOf: ({ size }, draws) => Math.ceil(draws / size),
    isOfErrors: true,
    text: controlsText,
  },
  /** False verdicts of the rule that ends at the first one, under every shape. */
  stops: {
    simulation: 'controls',
    lists: {
      rule: ['decided'],
      way: ['tandem', 'sync-duet', 'paired'],
      shape: Object.keys(shapes).filter((name) => shapes[name].differs !== true),
      size: [1],
      slow: ['none'],
    },
    drawsOf: (_cell, draws) => draws,
    isOfErrors: true,
    text: stopsText,
  },
};

/** The lists of a part without what the arguments leave out. */
function restricted(lists, asked) {
  return Object.fromEntries(
    Object.entries(lists).map(([name, values]) => {
      const wanted = asked[name];
      if (wanted === undefined) return [name, values];
      // Numbers that a part does not have by itself are simulated as well.
      if (typeof values[0] === 'number') return [name, wanted.map(Number)];
      return [name, wanted];
    }),
  );
}

function readArguments(given) {
  const { values, positionals } = parseArgs({ args: given, options, allowPositionals: true });
  const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0)
    throw new RangeError(`truth has no part ${unknown.join(', ')}; parts: ${Object.keys(parts).join(', ')}`);
  const list = (name, known) => {
    const wanted = values[name]?.split(',');
    const wrong = known === null ? [] : (wanted ?? []).filter((word) => !Object.hasOwn(known, word));
    if (wrong.length > 0)
      throw new RangeError(`--${name} has no ${wrong.join(', ')}; there are: ${Object.keys(known).join(', ')}`);
    return wanted;
  };
  const number = (name) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`--${name} takes a whole number from 1, not ${String(values[name])}`);
    return value;
  };
  return {
    names: positionals.length > 0 ? positionals : Object.keys(parts),
    asked: {
      way: list('ways', ways),
      shape: list('shapes', shapes),
      runs: list('runs', null),
      confidence: list('confidences', null),
      rule: list('rules', rules),
    },
    draws: number('draws'),
    threads: number('threads'),
    results: values.results ?? null,
    write: values.write,
    settings: {
      replicates: number('replicates'),
      ...(values.interval === undefined ? {} : { interval: values.interval }),
    },
  };
}

/** The last commit that changed what is simulated, with `-dirty` where the code differs from it. */
function versionHere() {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const places = ['--', 'core', 'bench/lib', 'bench/truth'];
  return `${git('log', '-1', '--format=%h', ...places)}${git('status', '--porcelain', ...places) === '' ? '' : '-dirty'}`;
}

/** Puts texts between the markers of their names into the page. */
function write(texts) {
  const file = join(root, 'docs/methods/truth.md');
  let page = readFileSync(file, 'utf8');
  for (const [name, text] of Object.entries(texts)) {
    const marked = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
    page = page.replace(marked, () => `<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->`);
  }
  writeFileSync(file, page);
}

const readResults = (file) =>
  file !== null && existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [];

/** Has workers do all tasks; a result is handed on as soon as it is there. */
async function simulateAll(tasks, { threads, onResult }) {
  const waiting = [...tasks];
  const work = async () => {
    const worker = new Worker(new URL('worker.js', import.meta.url));
    try {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        const asked = task;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
        worker.postMessage(asked);
        const [result] = await once(worker, 'message');
        onResult(asked, result);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, work));
}

export async function run(given) {
  const { names, asked, draws, threads, results, settings, write: isWritten } = readArguments(given);
  const version = versionHere();
  const tasks = names.flatMap((part) => {
    const { simulation, lists, bothAtOnce = false, drawsOf } = parts[part];
    return product(restricted(lists, asked)).map((combined) => {
      const cell = bothAtOnce ? { ...combined, confidences: asked.confidence?.map(Number) ?? confidences } : combined;
      return { part, simulation, cell, options: { draws: drawsOf(cell, draws), settings } };
    });
  });
  // A cell is known by all that its numbers depend on.
  const keyOf = (task) => JSON.stringify([version, task.part, task.cell, task.options]);
  const found = new Map(readResults(results).map(({ key, result }) => [key, result]));
  await simulateAll(
    tasks.filter((task) => !found.has(keyOf(task))),
    {
      threads,
      onResult(task, result) {
        const key = keyOf(task);
        found.set(key, result);
        if (results !== null) appendFileSync(results, `${JSON.stringify({ key, result })}\n`);
      },
    },
  );
  const texts = Object.fromEntries(
    names.map((part) => {
      const own = tasks.filter((task) => task.part === part);
      const drawn = own.map((task) => task.options.draws);
      const most = Math.max(...drawn);
      const least = Math.min(...drawn);
      const head = `Version ${version}, ${least === most ? most : `${least} to ${most}`} draws a cell, ${settings.replicates} replicates.${parts[part].isOfErrors ? ` ${tellable(most)}` : ''}`;
      const text = parts[part].text(own.map((task) => ({ cell: task.cell, result: found.get(keyOf(task)) })));
      return [part, `${head}\n\n${text}`];
    }),
  );
  for (const [part, text] of Object.entries(texts)) console.log(`\n## ${part}\n\n${text}`);
  if (isWritten) write({ shapes: shapesText(), ...texts });
}
