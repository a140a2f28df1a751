// Finds the recorded exchange that a call of a client repeats.
import { type Difference, differences, exactly } from '../wire/value-differences.ts';
import { type CallParts, callOf, partsOf, type RecordedCall } from './recorded-call.ts';
import type { RecordedExchange, SessionFile } from './session-file.ts';

interface Candidate {
  readonly exchange: RecordedExchange;
  readonly call: RecordedCall;
  served: boolean;
}

/** Describes a call that was not recorded. */
export interface NotRecorded {
  readonly name: string;
  /** True if the call was recorded, but all its recorded answers have already been served. */
  readonly allServed: boolean;
  readonly closest?: {
    readonly id: number;
    readonly name: string;
    /**
     * The differences between the call and the closest recorded call; empty if that call belongs to another endpoint.
     */
    readonly differences: readonly Difference[];
  };
}

export type Match = { readonly exchange: RecordedExchange } | { readonly notRecorded: NotRecorded };

export class Matching {
  readonly #candidates: readonly Candidate[];
  readonly #brand: string;

  constructor({ exchanges, brand }: SessionFile) {
    this.#brand = brand;
    this.#candidates = exchanges.map((exchange) => ({
      exchange,
      call: callOf(partsOf(exchange), brand),
      served: false,
    }));
  }

  /** Returns the exchanges that no call has asked for yet. */
  get left(): RecordedExchange[] {
    return this.#candidates.filter(({ served }) => !served).map(({ exchange }) => exchange);
  }

  /**
   * Returns the earliest recorded exchange that matches a call and was not served yet. The endpoint must be the same.
   * Exchanges of the same session come before others. Within a session, exchanges with equal arguments come first.
   * After them come exchanges that differ only in values that a client changes in every run.
   */
  take(parts: CallParts): Match {
    const call = callOf(parts, this.#brand);
    const sameName = this.#candidates.filter((one) => one.call.name === call.name);
    const free = sameName.filter(({ served }) => !served);
    const sameSession = free.filter((one) => one.call.accessToken === call.accessToken);
    const found =
      find(sameSession, call, 'args') ??
      find(sameSession, call, 'lasting') ??
      find(free, call, 'args') ??
      find(free, call, 'lasting');
    if (!found) return { notRecorded: this.#notRecorded(call, sameName) };
    found.served = true;
    return { exchange: found.exchange };
  }

  #notRecorded(call: RecordedCall, sameName: readonly Candidate[]): NotRecorded {
    const allServed = find(sameName, call, 'lasting') !== undefined;
    const scored = sameName.map((one) => ({
      ...{ id: one.exchange.id, name: one.call.name },
      differences: differences(one.call.lasting, call.lasting, exactly),
    }));
    const [closest] = scored.toSorted((a, b) => a.differences.length - b.differences.length);
    return { name: call.name, allServed, ...optional(closest ?? this.#closestName(call.name)) };
  }

  /** Returns the recorded call whose name has the longest beginning in common with `name`. */
  #closestName(name: string): NotRecorded['closest'] {
    const [best] = this.#candidates.toSorted((a, b) => alike(b.call.name, name) - alike(a.call.name, name));
    return best && { id: best.exchange.id, name: best.call.name, differences: [] };
  }
}

const optional = (closest: NotRecorded['closest']): Pick<NotRecorded, 'closest'> => (closest ? { closest } : {});

const find = (candidates: readonly Candidate[], call: RecordedCall, part: 'args' | 'lasting'): Candidate | undefined =>
  candidates.find((one) => differences(one.call[part], call[part], exactly).length === 0);

function alike(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

const SHOWN = 3;

/** Returns the text that tells a client's author about a call that was not recorded. */
export function notRecordedText({ name, allServed, closest }: NotRecorded): string {
  if (allServed) return `${name} was recorded, but fewer times: every recorded answer was served already.`;
  if (!closest) return `${name} was not recorded; the session is empty.`;
  if (closest.name !== name)
    return `${name} was not recorded. The closest recorded call is #${closest.id} ${closest.name}.`;
  const shown = closest.differences
    .slice(0, SHOWN)
    .map(({ place, recorded, now }) => `${place} is ${shortJson(now)}, recorded was ${shortJson(recorded)}`);
  const more = closest.differences.length > SHOWN ? `, and ${closest.differences.length - SHOWN} more` : '';
  return `${name} was not recorded with these arguments. The closest recorded call is #${closest.id}: ${shown.join('; ')}${more}.`;
}

const LONGEST = 60;

/** Returns a value as short JSON. */
export function shortJson(value: unknown): string {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
