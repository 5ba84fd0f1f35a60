import { judgeBarriers } from './judge-barriers.ts';
import { judgeEnd } from './judge-end.ts';
import { judgePage } from './judge-page.ts';
import { judgeRecord } from './judge-record.ts';
import type { Observation } from './observation.ts';
import type { Finding } from './rules.ts';
import type { Scenario } from './scenario.ts';

/** Holds what was seen of a program against the rules; a rule that a scenario says nothing about is left out. */
export function judge(scenario: Scenario, observation: Observation): readonly Finding[] {
  return [
    ...judgeRecord(scenario, observation),
    ...judgeBarriers(scenario, observation),
    ...judgePage(scenario, observation),
    ...judgeEnd(scenario, observation),
  ];
}
