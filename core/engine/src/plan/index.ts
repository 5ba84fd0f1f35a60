export { type Abilities, type MethodObstacle, chooseMethod, findObstacle, pilotLeaders } from './choose-method.ts';
export { type Part, mostParts, onlyPart, runsOfPart } from './part-of-runs.ts';
export { type PlannedTrial, isAlonePilot, occupiedCpus, planTrial, roundOrder } from './plan-trial.ts';
export { type StopDecision, type StopInputs, decideStop, giveUpAfterNs, shareDone } from './stop.ts';
