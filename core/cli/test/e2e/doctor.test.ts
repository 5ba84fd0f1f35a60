import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { noDuets, useScene } from './support.ts';

const oneCpu = 'there is one CPU only';

const scene = useScene();
const environment = () => ({ env: { XDG_CACHE_HOME: scene.path('cache') } });

describe('deadheat doctor', () => {
  it('measures, tells, and keeps the recording where it is asked to', async () => {
    const args = ['doctor', '--workload', 'float', '--runs', '2', '--output', 'kept', '--export', 'json:doctor.json'];
    const { status, stdout, stderr } = await scene.run(args, environment());
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stderr).toMatch(/measuring 2 runs by each method, each workload against itself: about /);
    expect(stdout).toContain('What this machine can see');
    const methods =
      noDuets === null
        ? ['tandem', 'sync-duet', 'async-duet', 'sequential']
        : noDuets === oneCpu
          ? ['tandem', 'sequential']
          : ['sequential'];
    const found: unknown = JSON.parse(readFileSync(scene.path('doctor.json'), 'utf8'));
    expect(found).toMatchObject({
      schema: 'deadheat.doctor/1',
      measured: {
        plannedRuns: 2,
        complete: true,
        recording: 'kept',
        methods: methods.map((method) => ({ workload: 'float', method })),
      },
      findings: expect.any(Array) as unknown[],
    });
    expect(scene.trials('kept').length).toBeGreaterThanOrEqual(2 * methods.length);
    expect(scene.leftoverPages()).toEqual([]);
  });

  it('only looks at the machine when told so', async () => {
    const { status, stdout, stderr } = await scene.run(['doctor', '--no-measure', '--export', 'json:-'], environment());
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'deadheat.doctor/1', measured: null });
    expect(stderr).not.toContain('calibrating');
  });
});
