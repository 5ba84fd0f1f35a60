import { bisect } from './bisect.ts';
import { calibrate } from './calibrate.ts';
import { ciSubcommand } from './ci.ts';
import { cancelSubcommand } from './cancel.ts';
import { cleanup } from './cleanup.ts';
import { fleetSubcommand } from './fleet.ts';
import { gitSubcommand } from './git.ts';
import { historySubcommand } from './history.ts';
import { mergeSubcommand } from './merge.ts';
import { npmSubcommand } from './npm.ts';
import { doctorSubcommand } from './doctor.ts';
import { plan } from './plan.ts';
import { exportSubcommand } from './export.ts';
import { report } from './report.ts';
import { pullSubcommand } from './pull.ts';
import { pushSubcommand } from './push.ts';
import { serveSubcommand } from './serve.ts';
import { sqlSubcommand } from './sql.ts';
import { protocol } from './protocol.ts';
import { run } from './run.ts';
import type { Subcommand } from './subcommand.ts';
import { simulateSubcommand } from './simulate.ts';
import { studySubcommand } from './study.ts';
import { warmup } from './warmup.ts';
import { workerSubcommand } from './worker.ts';
import { workloadSubcommand } from './workload/workload-subcommand.ts';

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
