import { bisect } from './bisect/bisect.ts';
import { calibrate } from './calibrate.ts';
import { cancelSubcommand } from './cancel.ts';
import { ciSubcommand } from './ci.ts';
import { cleanup } from './cleanup.ts';
import { doctorSubcommand } from './doctor/doctor.ts';
import { exportSubcommand } from './export.ts';
import { fleetSubcommand } from './fleet.ts';
import { gitSubcommand } from './git.ts';
import { historySubcommand } from './history.ts';
import { mergeSubcommand } from './merge.ts';
import { npmSubcommand } from './npm.ts';
import { plan } from './plan/plan.ts';
import { protocol } from './protocol.ts';
import { pullSubcommand } from './pull.ts';
import { pushSubcommand } from './push.ts';
import { report } from './report.ts';
import { run } from './run/run.ts';
import { serveSubcommand } from './serve/serve.ts';
import { simulateSubcommand } from './simulate/simulate.ts';
import { sqlSubcommand } from './sql.ts';
import { studySubcommand } from './study/study.ts';
import type { Subcommand } from './subcommand.ts';
import { warmup } from './warmup.ts';
import { workerSubcommand } from './worker.ts';
import { workloadSubcommand } from './workload/workload.ts';

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
