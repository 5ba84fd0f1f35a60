// What deciding costs after each iteration of a warm-up, at 1 000 sampled invocations, as a share of an iteration of 1 s: computed
// alone, and then end to end in duets whose iterations take 100 ms, which takes about 4 minutes. `-- alone` leaves the second out;
// `-- duet ROUNDS MS` makes it alone.
// `-- published` instead sets the replayed stop points of the steady-state data beside the published ones; it needs DEADHEAT_DATA (the
// folder that holds steady-state/) and DEADHEAT_GOLDEN (the folder that holds 11-steady-state.json).
import { existsSync } from 'node:fs';
import { decisionCostNs } from '../../lab/lab/dist/study/replay-reconfiguration.js';
import { median, percent, printMachine, printTable } from '../lib/tools.js';
import { comparePublished } from './compare-published.js';
import { measureEndToEnd } from './end-to-end.js';
import { spreadOfInvocations } from './spread-of-invocations.js';

const rounds = 5;
const rules = [
  [['cv'], 'at most 0.2 %', '0.88 %'],
  [['rciw'], 'at most 1 %', '10.92 %'],
  [['kld'], 'at most 1 %', '4.32 %'],
  [['cv', 'rciw', 'kld'], '', ''],
];

export async function run([mode, rounds = '6', iterationMs = '100']) {
  if (mode === 'published') {
    const { DEADHEAT_DATA: data, DEADHEAT_GOLDEN: golden } = process.env;
    if (!data || !golden || !existsSync(data) || !existsSync(golden)) {
      console.log(
        'skipped: set DEADHEAT_DATA and DEADHEAT_GOLDEN to the folders of the data and of the published results',
      );
      return;
    }
    printTable(...(await comparePublished({ data, golden })));
    console.log('\nA constant level and invocations that scatter, like the code: median warm-up of ten forks.\n');
    printTable(...spreadOfInvocations());
    return;
  }
  printMachine();
  if (mode !== 'duet') printAlone();
  if (mode !== 'alone') await measureEndToEnd({ rounds: Number(rounds), iterationMs: Number(iterationMs) });
}

function printAlone() {
  const now = () => performance.now() * 1e6;
  const rows = ['paper', 'jmh-reconfigure'].flatMap((like) =>
    rules.map(([criteria, goal, fse20]) => {
      const cost = median(Array.from({ length: rounds }, () => decisionCostNs(criteria, { now, like })));
      return [like, criteria.join(' + '), `${(cost / 1e6).toFixed(2)} ms`, percent((cost / 1e9) * 100), goal, fse20];
    }),
  );
  printTable(['reading', 'criteria', 'a decision', 'share of 1 s', 'goal', "FSE'20"], rows);
}
