// Whether experiments find the slowdown that `deadheat doctor` says a method detects.
import { compareBenchmark } from '@deadheat/analysis';
import { sharpestMethod } from '../../core/deadheat/dist/doctor/diagnosis.js';
import { levelledSights } from '../../core/deadheat/dist/doctor/measure.js';
import { doctorConfidence } from '../../core/deadheat/dist/doctor/request.js';
import { createRandom } from '@deadheat/stats';
import { largest } from './power.js';
import { simulatedExperiment, simulatedRuns } from './recordings.js';

/** Ways of the methods that the doctor compares. */
const doctorWays = ['tandem', 'sync-duet', 'async-duet', 'unpaired'];

/**
 * Draws what the doctor measures, equal commands by every method, and an experiment of as many runs by each with B slower by what that method
 * was said to detect; and whether the method that was called the sharpest sees what it was said to.
 */
export function doctor({ shape, runs }, { draws, settings }) {
  const names = [...doctorWays, 'sharpest'];
  const found = { draws, ways: Object.fromEntries(names.map((way) => [way, { slower: 0, logSlowdown: 0 }])) };
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(`doctor ${shape} ${runs} ${draw}`);
    const judges = new Map();
    const measured = doctorWays.map((way) => {
      const stop = { kind: 'runs', runs };
      const all = { stop, seed: String(draw), ...settings, confidence: doctorConfidence };
      const { benchmark, config } = simulatedExperiment(way, all);
      const judge = (ratio) =>
        compareBenchmark({ runs: simulatedRuns({ way, shape, runs, ratio }, random), benchmark, config });
      judges.set(way, judge);
      return {
        way,
        workload: shape,
        runs,
        method: config.method,
        detectableSlowdown: judge(1).minimalDetectableSlowdown,
      };
    });
    const sights = levelledSights(measured);
    const sharpest = sharpestMethod(sights);
    for (const { way, method, detectableSlowdown } of sights) {
      const slowdown = Math.min(largest, detectableSlowdown);
      const isSlower = judges.get(way)(1 + slowdown).verdict === 'slower';
      for (const counts of [found.ways[way], ...(method === sharpest ? [found.ways.sharpest] : [])]) {
        counts.logSlowdown += Math.log(slowdown);
        if (isSlower) counts.slower++;
      }
    }
  }
  return found;
}
