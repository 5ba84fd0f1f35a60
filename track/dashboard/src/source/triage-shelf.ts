import { printable } from '@deadheat/report';
import type { Token } from '../access/tokens.ts';
import { RequestError } from '../errors.ts';
import { directionOf, type FoundChange } from './change-search.ts';
import type { HistorySource } from './history-source.ts';
import { groupBy, seriesKey, mostTriageText, type ChangeTriage } from '@deadheat/history';

/** The decisions about changes, to be looked up by change. */
export class TriageView {
  readonly #bySeries: ReadonlyMap<string, readonly ChangeTriage[]>;

  /** @param entries in the order in which they were decided */
  constructor(entries: readonly ChangeTriage[]) {
    this.#bySeries = groupBy(entries, seriesKey);
  }

  /** The decisions about a change, the newest first. */
  of(change: FoundChange): readonly ChangeTriage[] {
    const direction = directionOf(change);
    return (this.#bySeries.get(seriesKey(change)) ?? [])
      .filter((entry) => entry.direction === direction && change.near.includes(entry.experiment))
      .toReversed();
  }
}

/** The decision of a user about a change. */
export interface Decision {
  readonly state: ChangeTriage['state'];
  readonly ticket?: string | undefined;
  readonly note?: string | undefined;
  /** Name of who decides; `undefined` = that of the token. */
  readonly by?: string | undefined;
}

/** Who decides. */
type Decider = Pick<Token, 'access' | 'name'>;

/** Checks whether a user may decide about changes. */
export function mayDecide({ access }: Pick<Decider, 'access'>): boolean {
  return access === 'write';
}

/** The decisions about changes in the history. */
export class TriageShelf {
  readonly #source: HistorySource;
  readonly #now: () => Date;

  constructor(source: HistorySource, now: () => Date = () => new Date()) {
    this.#source = source;
    this.#now = now;
  }

  async view(): Promise<TriageView> {
    return new TriageView(await this.#source.use((history) => history.triage()));
  }

  /** Keeps a decision about a change. @throws RequestError `FORBIDDEN`, `BAD_REQUEST`; HistoryError */
  async decide(
    change: FoundChange,
    { caller, decision }: { readonly caller: Decider; readonly decision: Decision },
  ): Promise<ChangeTriage> {
    if (!mayDecide(caller)) {
      throw new RequestError(
        'FORBIDDEN',
        'Only a token to write decides about a change: a line `write TOKEN` of --token-file.',
      );
    }
    const { project, benchmark, params, method, first } = change;
    const ticket = checked('ticket', decision.ticket);
    if (decision.state === 'ticket' && ticket === '') {
      throw new RequestError('BAD_REQUEST', 'The state ticket needs the address or the number of the ticket.');
    }
    const entry: ChangeTriage = {
      project,
      benchmark,
      params,
      method,
      experiment: first.experiment,
      direction: directionOf(change),
      state: decision.state,
      ticket: ticket === '' ? null : ticket,
      note: checked('note', decision.note),
      by: checked('by', decision.by) || (caller.name ?? '').slice(0, mostTriageText.by) || 'a token to write',
      at: this.#now().toISOString(),
    };
    await this.#source.use((history) => history.addTriage(entry));
    return entry;
  }
}

function checked(name: keyof typeof mostTriageText, text: string | undefined): string {
  const found = printable(text?.trim() ?? '');
  if (found.length <= mostTriageText[name]) return found;
  throw new RequestError('BAD_REQUEST', `${name} has more than ${mostTriageText[name]} characters.`);
}
