import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { ServerContext } from '../context.ts';

/** What an operation is asked with. */
export interface Asked<Query> {
  readonly context: ServerContext;
  readonly caller: Caller;
  readonly query: Query;
  /** The `{id}` of its path; empty where it has none. */
  readonly id: string;
}

/** One thing that the JSON interface does. */
export interface Operation {
  readonly name: string;
  readonly method: 'get' | 'post';
  /** Below `/api/v1`; `{id}` stands for an id. */
  readonly path: string;
  readonly summary: string;
  readonly query: z.ZodObject;
  /** What it answers with, as JSON. */
  readonly answer: z.ZodType;
  readonly act: (asked: Asked<never>) => Promise<unknown>;
}

/** An operation whose parts fit together. */
export const operation = <Query extends z.ZodObject, Answer extends z.ZodType>(
  described: Omit<Operation, 'query' | 'answer' | 'act'> & {
    readonly query: Query;
    readonly answer: Answer;
    readonly act: (asked: Asked<z.output<Query>>) => Promise<z.input<Answer>>;
  },
): Operation => described;
