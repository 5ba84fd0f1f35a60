import type { Subcommand } from './subcommand.ts';

/**
 * Every subcommand, in the order of the help. Dispatch, help, suggestions for misspelt words and docs/command-line.md are made from this
 * list. The module of a subcommand is loaded when it is called.
 */
export const subcommands: readonly Subcommand[] = [
  {
    name: 'demo',
    summary: 'three comparisons of bundled programs, within a minute',
    load: () => import('./demo.ts'),
  },
  {
    name: 'analyse',
    aliases: ['analyze'],
    summary: 'judge a recording again, or result files of other tools',
    load: () => import('./analyse.ts'),
  },
  { name: 'run', summary: 'an experiment described by a file, deadheat.yaml', load: () => import('./run/run.ts') },
  { name: 'git', summary: 'two commits of a repository, or what is not committed yet', load: () => import('./git.ts') },
  { name: 'npm', summary: 'two versions of a package', load: () => import('./npm.ts') },
  { name: 'bisect', summary: 'the commit that made a program slower', load: () => import('./bisect/bisect.ts') },
  {
    name: 'calibrate',
    summary: 'long and short runs of programs, from which deadheat plan plans',
    load: () => import('./calibrate.ts'),
  },
  {
    name: 'plan',
    summary: 'how many runs of how many iterations, from a calibration',
    load: () => import('./plan.ts'),
  },
  {
    name: 'warmup',
    summary: 'when a Node or Java program is warm, by times and by what is compiled',
    load: () => import('./warmup.ts'),
  },
  { name: 'report', summary: 'a recording as an HTML page, and its plots as SVG', load: () => import('./report.ts') },
  { name: 'export', summary: 'a recording in the format of another tool', load: () => import('./export.ts') },
  {
    name: 'merge',
    summary: 'the parts of an experiment, made on several machines, as one',
    load: () => import('./merge.ts'),
  },
  { name: 'ci', summary: 'divide an experiment among the jobs of a pipeline', load: () => import('./ci.ts') },
  { name: 'push', summary: 'put recordings into a history: a folder, or PostgreSQL', load: () => import('./push.ts') },
  { name: 'pull', summary: 'get a recording out of a history', load: () => import('./pull.ts') },
  {
    name: 'history',
    summary: 'verdicts over commits, and where the level changed',
    load: () => import('./history.ts'),
  },
  { name: 'serve', summary: 'a history in the browser, and as JSON', load: () => import('./serve/serve.ts') },
  { name: 'sql', summary: 'ask the iterations of recordings by SQL (needs DuckDB)', load: () => import('./sql.ts') },
  {
    name: 'simulate',
    summary: 'how often intervals miss, on artificial recordings drawn from yours',
    load: () => import('./simulate.ts'),
  },
  {
    name: 'study',
    summary: "the papers' evaluations of the methods, over your recordings",
    load: () => import('./study.ts'),
  },
  { name: 'doctor', summary: 'what disturbs this machine, and what to do', load: () => import('./doctor/doctor.ts') },
  {
    name: 'workload',
    summary: 'artificial workloads of a known amount of work, and a load',
    load: () => import('./workload/workload.ts'),
  },
  { name: 'worker', summary: 'make runs for a fleet on this machine', load: () => import('./worker.ts') },
  { name: 'cancel', summary: 'end an experiment of a fleet', load: () => import('./cancel.ts') },
  { name: 'fleet', summary: 'make a database the meeting place of a fleet', load: () => import('./fleet.ts') },
  { name: 'protocol', summary: 'hold a program against the workload protocol', load: () => import('./protocol.ts') },
  {
    name: 'cleanup',
    summary: 'remove containers and worktrees that a crash left behind',
    load: () => import('./cleanup.ts'),
  },
];
