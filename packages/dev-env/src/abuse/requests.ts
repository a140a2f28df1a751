// Makes the mutated request with a number. Seed and number alone decide the mutation, so that it can be replayed.
import { createRandom, type Random } from '../workload/random.ts';
import type { Cast } from './cast.ts';
import { bytesOf, type Draft, draftOf, type Outcome } from './draft.ts';
import { forge, mutateHeaders, mutatePath, mutateToken } from './head-mutations.ts';
import { changedText, changedValue } from './json-mutations.ts';
import { type ValidCall, validCalls } from './valid-calls.ts';
import { mutateWire } from './wire-mutations.ts';

export interface AbusiveRequest {
  readonly number: number;
  readonly call: string;
  readonly mutations: readonly string[];
  readonly bytes: Buffer;
  readonly outcome: Outcome;
  readonly answers: number;
  /** True if the answer has no body whatever its headers say. */
  readonly isHead: boolean;
  /** True if a right answer may not come soon. */
  readonly waits: boolean;
  /** True if a success is a fault. */
  readonly mustFail: boolean;
  /** The statuses from 500 up that the answer may have. */
  readonly declared: readonly number[];
}

function mutateValue(draft: Draft, random: Random): void {
  if (draft.call.json === undefined) mutatePath(draft, random);
  else draft.body = Buffer.from(changedValue(draft.call.json, random));
}

function mutateText(draft: Draft, random: Random): void {
  draft.body = changedText(draft.body, random);
}

/** The mutations of parts of a request, each with its weight. */
const parts = {
  value: { weight: 44, mutate: mutateValue },
  text: { weight: 10, mutate: mutateText },
  path: { weight: 10, mutate: mutatePath },
  headers: { weight: 12, mutate: mutateHeaders },
  token: { weight: 4, mutate: mutateToken },
  signature: { weight: 6, mutate: forge },
} as const;
type Part = keyof typeof parts;
const NOTHING = 6;
const WIRE = 10;
/** After one in so many mutations comes another one. */
const ANOTHER = 5;

const partNames: readonly Part[] = ['value', 'text', 'path', 'headers', 'token', 'signature'];
const weighted: readonly (Part | 'nothing' | 'wire')[] = [
  ...partNames.flatMap((name) => Array.from({ length: parts[name].weight }, () => name)),
  ...Array.from({ length: NOTHING }, () => 'nothing' as const),
  ...Array.from({ length: WIRE }, () => 'wire' as const),
];

/** HTTP versions other than 1.1 and 1.0 are answered with this status. */
const UNKNOWN_VERSION = 505;
/**
 * One in so many calls that wait, or that end a session, is made. The others are left out: they would wait in vain, and
 * all later calls of the session would be refused.
 */
const WAITING = 6;
const ENDING = 40;

export type Requests = (number: number) => AbusiveRequest;

/** Returns a function that makes requests. A caller's calls are mutated in turn, so that every operation gets its share. */
export function abusiveRequests(seed: number, cast: Cast): Requests {
  const calls = cast.callers.map((caller) => validCalls(cast, caller));
  return (number) => {
    // Neighbouring numbers must give unlike requests, so they are spread over the whole range of seeds.
    const random = createRandom((seed ^ Math.imul(number, 0x9e3779b1)) >>> 0);
    const own = calls[random.below(calls.length)] ?? [];
    let call = random.pick(own);
    while ((call.waits && !random.oneIn(WAITING)) || (call.endsSession && !random.oneIn(ENDING)))
      call = random.pick(own);
    return requestOf(number, call, random);
  };
}

function requestOf(number: number, call: ValidCall, random: Random): AbusiveRequest {
  const draft = draftOf(call);
  const first = random.pick(weighted);
  const names = [first, ...(random.oneIn(ANOTHER) ? [random.pick(weighted)] : [])];
  // A signature covers the other parts, so it is broken last.
  const order = [...partNames.filter((name) => names.includes(name)), ...(names.includes('wire') ? ['wire'] : [])];
  for (const name of partNames) if (names.includes(name)) parts[name].mutate(draft, random);
  const wire = names.includes('wire')
    ? mutateWire(draft, random)
    : { bytes: bytesOf(draft), outcome: draft.outcome, answers: draft.answers };
  const isSame = draft.path === call.path && draft.verb === call.verb;
  return {
    number,
    call: call.name,
    mutations: order,
    ...wire,
    isHead: draft.verb === 'HEAD',
    waits: call.waits,
    mustFail: draft.isForged && isSame && !names.includes('wire'),
    declared: names.includes('wire') ? [...call.declared, UNKNOWN_VERSION] : call.declared,
  };
}
