import { z } from 'zod';

/** The two versions compared: `A` is the baseline, `B` the candidate. Ratios are always B / A. */
export const sideSchema = z.enum(['A', 'B']);
export type Side = z.infer<typeof sideSchema>;
export const sides: readonly Side[] = ['A', 'B'];

/** When the sides trade cores: at every pair, at random once a run, or never. */
export const swapSchema = z.enum(['pair', 'run', 'never']);
export type Swap = z.infer<typeof swapSchema>;

/** Papers whose procedure can be asked for: Bulej et al., ICPE 2020; Drozdik's thesis, 2023. */
export const paperSchema = z.enum(['icpe20', 'thesis']);
export type Paper = z.infer<typeof paperSchema>;

/** In which order runs are made: shuffled over all benchmarks and methods, or one benchmark and method after another. */
export const scheduleSchema = z.enum(['randomized-interleaving', 'sequential']);
export type Schedule = z.infer<typeof scheduleSchema>;

/** Programs that run containers, by their command line. */
export const containerEngineSchema = z.enum(['podman', 'docker']);
export type ContainerEngineName = z.infer<typeof containerEngineSchema>;

/** Units of time. */
export const timeUnitSchema = z.enum(['ns', 'us', 'ms', 's']);
export type TimeUnit = z.infer<typeof timeUnitSchema>;

/** The phase of an iteration. */
export const phaseSchema = z.enum(['warmup', 'measure']);
export type Phase = z.infer<typeof phaseSchema>;

/** The phase of a whole run. Runs of the phase `pilot` choose the method of a benchmark and are not judged. */
export const runPhaseSchema = z.enum(['pilot', ...phaseSchema.options]);
export type RunPhase = z.infer<typeof runPhaseSchema>;

/** The answer about B against A. */
export const verdictSchema = z.enum(['slower', 'faster', 'dead-heat', 'undecided']);
export type Verdict = z.infer<typeof verdictSchema>;

/** The quantity that a verdict is about: the ratio of typical runs, or that of total times. */
export const judgedSchema = z.enum(['typical', 'total']);
export type JudgedQuantity = z.infer<typeof judgedSchema>;

/** Parameter names and values of one benchmark, as typed by the user. */
export const paramsSchema = z.record(z.string(), z.string());
export type Params = z.infer<typeof paramsSchema>;
