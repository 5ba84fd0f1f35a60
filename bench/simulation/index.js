// Simulated experiments a minute on one core: analytical intervals in 8 h of iterations of 1 s (28 800 measurements), with boundaries
// known and detected, and resampling with 33 000 replicates at 20 runs of 5 segments of 200 measurements.
import { segmentRuns } from '@deadheat/analysis';
import { createRandom } from '@deadheat/stats';
import { fitSimulationModel } from '../../lab/lab/dist/simulation/fit-simulation-model.js';
import { simulateExperiments } from '../../lab/lab/dist/simulation/simulate-experiments.js';
import { printMachine, printTable } from '../lib/tools.js';

/** Ten runs that change their level every 300 iterations or so, in ns. */
function measure() {
  const random = createRandom('simulation bench');
  const runs = Array.from({ length: 10 }, () => {
    const own = 1e9 + 1e7 * random.normal();
    let level = own + 1e7 * random.normal();
    return Float64Array.from({ length: 1500 }, () => {
      if (random.next() < 1 / 300) level = own + 1e7 * random.normal();
      return level + 5e6 * random.normal();
    });
  });
  return fitSimulationModel('artificial', segmentRuns(runs, { random }));
}

const cases = [
  {
    name: 'analytical, known',
    runs: 20,
    iterations: 1440,
    boundaries: 'known',
    replicates: 0,
    count: 4000,
    goal: 10_000,
  },
  {
    name: 'analytical, detected',
    runs: 20,
    iterations: 1440,
    boundaries: 'detected',
    replicates: 0,
    count: 100,
    goal: 300,
  },
  {
    name: 'resampling, known',
    runs: 20,
    iterations: 1000,
    boundaries: 'known',
    replicates: 33_000,
    count: 15,
    goal: 20,
  },
];

export function run() {
  printMachine();
  const fitted = measure();
  const rows = cases.map(({ name, runs, iterations, boundaries, replicates, count, goal }) => {
    // Resampling: a change every 200 iterations, that is about five segments a run.
    const model = replicates > 0 ? { ...fitted, shiftRate: 1 / 200 } : fitted;
    const options = { seed: name, boundaries, replicates, confidence: 0.99 };
    const what = { model, dimension: { runs, iterations } };
    simulateExperiments(what, { from: 0, count: Math.ceil(count / 10) }, options);
    const start = process.cpuUsage();
    simulateExperiments(what, { from: 0, count }, options);
    const { user, system } = process.cpuUsage(start);
    const rate = Math.floor(count / ((user + system) / 6e7));
    return [name, `${runs}x${iterations}`, count, rate, `at least ${goal}: ${rate >= goal ? 'reached' : 'missed'}`];
  });
  printTable(['intervals', 'runs x iterations', 'simulated', 'a minute of CPU time', 'goal'], rows);
}
