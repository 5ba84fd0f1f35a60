export { chooseMethod, findObstacle, type Abilities, type MethodObstacle } from './choose-method.ts';
export { mostParts, onlyPart, runsOfPart, type Part } from './part-of-runs.ts';
export { pilotLeaders } from './pilot-leaders.ts';
export { occupiedCpus, planTrial, type PlannedTrial } from './plan-trial.ts';
export { roundOrder } from './round-order.ts';
export {
  decideStop,
  expectedRuns,
  hopelessAfterNs,
  shareDone,
  type Prospect,
  type Standing,
  type StopDecision,
} from './stop.ts';
