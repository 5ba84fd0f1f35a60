import { nearestWord } from '@deadheat/model';
import type { CommandEntry, Family } from '../command/define-command.ts';

/**
 * Loads a family of subcommands from a package that is installed beside deadheat and exports it by its name.
 *
 * @throws DeadheatError `PACKAGE_MISSING` where the package is absent
 */
export async function fromPackage(name: string, family: string): Promise<Family> {
  const { loadPackage } = await import('@deadheat/recording');
  return loadPackage<Family>(name, { exported: family, user: `deadheat ${family}` });
}

/**
 * Every subcommand, in the order of the help. Dispatch, help, suggestions for misspelt words and docs/command-line.md are made from this
 * list. The module of a subcommand is loaded when it is called.
 */
export const subcommands: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'make three comparisons of bundled programs in less than a minute',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'analyse',
    aliases: ['analyze'],
    summary: 'analyse a recording again, or result files of other tools',
    load: async () => (await import('./analyse.ts')).analyse,
  },
  {
    name: 'run',
    summary: 'run the experiment that a file describes (deadheat.yaml)',
    load: async () => (await import('./run/run.ts')).run,
  },
  {
    name: 'git',
    summary: 'compare two commits of a repository, or your uncommitted changes with a commit',
    load: async () => (await import('./git.ts')).git,
  },
  {
    name: 'npm',
    summary: 'compare two versions of an npm package',
    load: async () => (await import('./npm.ts')).npm,
  },
  {
    name: 'bisect',
    summary: 'find the commit that made a program slower',
    load: async () => (await import('./bisect/bisect.ts')).bisect,
  },
  {
    name: 'attempt',
    summary: 'judge one optimisation after the other against the best so far, at one error budget',
    load: async () => (await import('./attempt/attempt.ts')).attempt,
  },
  {
    name: 'calibrate',
    summary: 'make the measurements that deadheat plan needs',
    load: async () => (await import('./calibrate.ts')).calibrate,
  },
  {
    name: 'plan',
    summary: 'choose the numbers of runs and iterations, from a calibration',
    load: async () => (await import('./plan.ts')).plan,
  },
  {
    name: 'report',
    summary: 'write a recording as an HTML report, and its plots as SVG',
    load: async () => (await import('./report.ts')).report,
  },
  {
    name: 'explain',
    summary: 'find the functions that make B slower, in further runs under the sampler of the runtime',
    load: async () => (await import('./explain.ts')).explain,
  },
  {
    name: 'export',
    summary: 'write a recording in the format of another tool',
    load: async () => (await import('./export.ts')).exportResults,
  },
  {
    name: 'ci',
    summary: 'divide an experiment among the jobs of a CI pipeline, and merge the parts (matrix, merge)',
    load: async () => (await import('./ci.ts')).ci,
  },
  {
    name: 'history',
    summary: 'store recordings over years, show what changed, watch a branch, serve a dashboard, send alerts',
    load: () => fromPackage('@deadheat/track', 'history'),
  },
  {
    name: 'fleet',
    summary: 'execute experiments on many machines',
    load: () => fromPackage('@deadheat/track', 'fleet'),
  },
  {
    name: 'lab',
    summary: 'evaluate the methods of measuring: studies, simulations, warm-up, protocol, artificial workloads',
    load: () => fromPackage('@deadheat/lab', 'lab'),
  },
  {
    name: 'doctor',
    summary: 'find out what disturbs measurements on this machine, and what to do',
    load: async () => (await import('./doctor.ts')).doctorCommand,
  },
  {
    name: 'cleanup',
    summary: 'remove containers and worktrees that remain after a crash',
    load: async () => (await import('./cleanup.ts')).cleanup,
  },
  {
    name: 'completions',
    summary: 'print a script for bash, zsh or fish that completes the command line',
    load: async () => (await import('./completions.ts')).completions,
  },
];

/** The subcommand that `word` looks like a misspelling of; `null` when it looks like none, or is one. */
export function suggestSubcommand(word: string): string | null {
  const names = [...subcommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]), 'help'];
  return names.includes(word) ? null : nearestWord(word.toLowerCase(), names);
}
