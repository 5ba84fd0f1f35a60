import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/api/operations.ts';
import { commit, FakeFleet, put, useFolder, useServers } from './support.ts';

interface Described {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

describe('the description of the JSON interface', () => {
  const folder = useFolder();
  const servers = useServers();
  beforeAll(() => put(folder('history'), { id: 'a1', a: commit('v1', 1), b: commit('v2', 2) }));

  it('has every operation with its parameters, and every reference leads somewhere', async () => {
    const fleet = new FakeFleet();
    const server = await servers.start(folder('history'), { fleet: { view: fleet, cancel: null } });
    const document = await server.json<Described>('/openapi.json');
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.components.schemas).toSorted()).toEqual([
      'CanaryAlarm',
      'Change',
      'CommitRow',
      'Comparison',
      'Error',
      'Experiment',
      'FleetExperiment',
      'Health',
      'Project',
      'Series',
      'Summary',
      'Worker',
    ]);
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const [first, second, third] = (name ?? '').split('/');
      expect([first, second, (third ?? '') in document.components.schemas], name).toEqual([
        'components',
        'schemas',
        true,
      ]);
    }
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual([...operations.map(({ name }) => name), 'followFleet'].toSorted());
    expect(document.paths['/series']?.['get']?.parameters.map(({ name, required }) => `${name} ${required}`)).toEqual([
      'project true',
      'benchmark true',
      'params false',
      'method false',
      'metric false',
      'of false',
      'leastChange false',
      'against false',
      'host false',
    ]);
    expect(document.paths['/experiments/{id}']?.['get']?.parameters).toMatchObject([{ name: 'id', in: 'path' }]);
  });

  it('says what the answers are', async () => {
    const fleet = new FakeFleet();
    const server = await servers.start(folder('history'), { fleet: { view: fleet, cancel: null } });
    const asked: Readonly<Record<string, string>> = {
      '/series': '/series?project=parser&benchmark=parse&params=%7B%22size%22%3A%225%22%7D',
      '/summary': '/summary?project=parser',
      '/compare': '/compare?from=v1&to=v2&show=all',
      '/experiments/{id}': '/experiments/a1',
      '/experiments/{id}/report': '/experiments/a1/report',
    };
    const checked: string[] = [];
    for (const { method, path, answer } of operations) {
      if (method !== 'get') continue;
      const found = await server.json(asked[path] ?? path);
      expect(answer.safeParse(found).error, path).toBeUndefined();
      checked.push(path);
    }
    expect(checked).toHaveLength(operations.filter(({ method }) => method === 'get').length);
  });
});
