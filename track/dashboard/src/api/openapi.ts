import { z } from 'zod';
import type { Caller, ServerContext } from '../context.ts';
import { errorSchema } from './schemas.ts';

/** The arguments of an operation. */
interface Asked<Query> {
  readonly context: ServerContext;
  readonly caller: Caller;
  readonly query: Query;
  /** The `{id}` of its path; empty where it has none. */
  readonly id: string;
}

/** One operation of the JSON interface. */
export interface Operation {
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Below `/api/v1`; `{id}` stands for an id. */
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodObject;
  /** Schema of the answer. */
  readonly answer: z.ZodType;
  readonly act: (asked: Asked<never>) => Promise<unknown>;
}

/** An operation whose query, action and answer have matching types. */
export function operation<Query extends z.ZodObject, Answer extends z.ZodType>(
  described: Omit<Operation, 'query' | 'answer' | 'act'> & {
    readonly query: Query;
    readonly answer: Answer;
    readonly act: (asked: Asked<z.output<Query>>) => Promise<z.input<Answer>>;
  },
): Operation {
  return described;
}

/** The description of the JSON interface by OpenAPI 3.1, whose schemas are those of JSON Schema 2020-12. */
export function openApiDocument(operations: readonly Operation[], version: string): object {
  const shared: Record<string, object> = {};

  function collect(schema: z.ZodType): object {
    const { $schema, $defs, ...rest } = z.toJSONSchema(schema);
    void $schema;
    for (const [name, definition] of Object.entries($defs ?? {})) shared[name] = inComponents(definition) as object;
    return inComponents(rest) as object;
  }

  const failure = {
    description: 'Why not, with a code',
    content: { 'application/json': { schema: collect(errorSchema) } },
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const { name, method, path, summary, query, answer } of operations) {
    const content = { 'application/json': { schema: collect(answer) } };
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: name,
        summary,
        parameters: [...pathParameters(path), ...queryParameters(query)],
        responses: { 200: { description: 'As asked', content }, default: failure },
      },
    };
  }
  const events =
    'Server-sent events `fleet`, at once and after every change: {"experiments": [FleetExperiment], "workers": [Worker]}';
  paths['/fleet/events'] = {
    get: {
      operationId: 'followFleet',
      summary: 'The fleet, live',
      responses: { 200: { description: events, content: { 'text/event-stream': {} } }, default: failure },
    },
  };
  return {
    openapi: '3.1.0',
    info: { title: 'deadheat', version, summary: 'Verdicts over commits, and a fleet that makes them' },
    servers: [{ url: '/api/v1' }],
    security: [{}, { token: [] }],
    paths,
    components: { schemas: shared, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

function pathParameters(path: string): readonly object[] {
  return path.includes('{id}') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : [];
}

function queryParameters(query: z.ZodObject): readonly object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

/** Rewrites references to shared schemas to the place where OpenAPI keeps them. */
function inComponents(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
