import { bisect } from './bisect/bisect.ts';
import { calibrate } from './calibrate/options.ts';
import { ciSubcommand } from './ci/options.ts';
import { cancelSubcommand } from './cancel/options.ts';
import { cleanup } from './cleanup/options.ts';
import { fleetSubcommand } from './fleet/options.ts';
import { gitSubcommand } from './git/options.ts';
import { historySubcommand } from './history/options.ts';
import { mergeSubcommand } from './merge.ts';
import { npmSubcommand } from './npm/options.ts';
import { doctorSubcommand } from './doctor/options.ts';
import { plan } from './plan/options.ts';
import { exportSubcommand } from './export/options.ts';
import { report } from './report/options.ts';
import { pullSubcommand } from './pull/options.ts';
import { pushSubcommand } from './push/options.ts';
import { serveSubcommand } from './serve/options.ts';
import { sqlSubcommand } from './sql/options.ts';
import { protocol } from './protocol/options.ts';
import { run } from './run/run.ts';
import type { Subcommand } from './subcommand.ts';
import { simulateSubcommand } from './simulate/options.ts';
import { studySubcommand } from './study/options.ts';
import { warmup } from './warmup/options.ts';
import { workerSubcommand } from './worker/options.ts';
import { workloadSubcommand } from './workload/options.ts';

/** Every subcommand beside `demo` and `analyse`, in the order of the help. */
export const subcommands: readonly Subcommand[] = [
  run,
  gitSubcommand,
  npmSubcommand,
  bisect,
  calibrate,
  plan,
  warmup,
  report,
  exportSubcommand,
  mergeSubcommand,
  ciSubcommand,
  pushSubcommand,
  pullSubcommand,
  historySubcommand,
  serveSubcommand,
  sqlSubcommand,
  simulateSubcommand,
  studySubcommand,
  doctorSubcommand,
  workloadSubcommand,
  workerSubcommand,
  cancelSubcommand,
  fleetSubcommand,
  protocol,
  cleanup,
];
