// Keeps the newest calls that reached the server, with their requests and answers.
import { type ErrorName, errorNameOf, errors } from '@sealpost/contract';
import type { AppendedOperation, CallRecord, SeenCall } from '@sealpost/contract/workbench';
import { argsOf, endpointAt } from '../wire/endpoints.ts';
import type { AnswerTap } from './answer-tap.ts';

const KEPT_CALLS = 10_000;
/** Maximum number of bytes of all kept bodies and answers together. The oldest calls lose theirs first. */
const KEPT_BYTES = 64 * 1024 * 1024;
const KEPT_BODY = 256 * 1024;

/** A call, updated while it runs. */
export interface LiveCall {
  readonly id: number;
  readonly time: number;
  readonly endpoint: string | undefined;
  readonly verb: string;
  readonly path: string;
  readonly remoteAddress: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly startedAt: number;
  state: SeenCall['state'];
  endedAt?: number;
  mid?: string;
  userid?: string;
  fault?: string;
  body: Buffer;
  bodyBytes: number;
  readonly appended: AppendedOperation[];
  readonly answer: AnswerTap;
}

export interface CallLog {
  add(call: LiveCall): void;
  /** Returns the calls that are kept, the oldest first. */
  all(): Iterable<LiveCall>;
  get(id: number): LiveCall | undefined;
  clear(): void;
}

export function createCallLog(): CallLog {
  const calls = new Map<number, LiveCall>();
  return {
    add(call) {
      calls.set(call.id, call);
      const [oldest] = calls.keys();
      if (calls.size > KEPT_CALLS && oldest !== undefined) calls.delete(oldest);
      if (call.id % 100 === 0) dropBodies([...calls.values()]);
    },
    all: () => calls.values(),
    get: (id) => calls.get(id),
    clear: () => calls.clear(),
  };
}

/** Drops the bodies and answers of the oldest calls, if all together are too large. */
function dropBodies(calls: readonly LiveCall[]): void {
  let kept = 0;
  for (const call of calls.toReversed()) {
    kept += call.body.length + Math.min(call.answer.bytes, KEPT_BODY);
    if (kept <= KEPT_BYTES) continue;
    call.body = Buffer.alloc(0);
    call.answer.forget();
  }
}

/** Returns the summary of a call that lists show. */
export function seenOf(call: LiveCall): SeenCall {
  const { id, time, state, endpoint, mid, userid, verb, path, fault, bodyBytes, appended, answer } = call;
  const { status } = answer;
  const error = errorOf(call);
  const tag = headerOf(call, 'x-dev-tag');
  return {
    ...{ id, time: new Date(time).toISOString(), state, verb, path, bodyBytes, appended: [...appended] },
    answerBytes: answer.bytes,
    ...(call.endedAt !== undefined && { durationMs: Math.round((call.endedAt - call.startedAt) * 10) / 10 }),
    ...(endpoint !== undefined && { endpoint }),
    ...(mid !== undefined && { mid }),
    ...(userid !== undefined && { userid }),
    ...(status !== undefined && { status }),
    ...(error && { error }),
    ...(fault !== undefined && { fault }),
    ...(tag !== undefined && { tag }),
  };
}

/** Returns everything about a call, except why its signature is wrong. */
export function recordOf(call: LiveCall): CallRecord {
  const body = textOf(call.body);
  const answer = textOf(call.answer.kept());
  const found = endpointAt(call.path);
  const args = found && argsOf(found, call.path, call.body);
  return {
    ...seenOf(call),
    remoteAddress: call.remoteAddress,
    headers: call.headers.map(([name, value]) => [name, value]),
    ...{ body: body.text, bodyForm: body.form },
    ...(args && { args }),
    answerHeaders: call.answer.headers.map(([name, value]) => [name, value]),
    ...{ answer: answer.text, answerForm: answer.form },
  };
}

/** Returns the first value of a header of the request. The name is in lower case. */
export const headerOf = ({ headers }: Pick<LiveCall, 'headers'>, name: string): string | undefined =>
  headers.find(([given]) => given.toLowerCase() === name)?.[1];

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns bytes as text, or as base64 if they are not text. */
function textOf(bytes: Buffer): { readonly text: string; readonly form: 'text' | 'base64' } {
  try {
    return { text: decoder.decode(bytes), form: 'text' };
  } catch {
    return { text: bytes.toString('base64'), form: 'base64' };
  }
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

interface Envelope {
  readonly code?: number;
  readonly message?: string;
  readonly data?: { readonly name?: string; readonly code?: number; readonly reason?: string } | null;
}

/** Returns the error that the answer reports; undefined if it reports none. */
function errorOf({ answer }: LiveCall): SeenCall['error'] {
  const { status, headers } = answer;
  if (status === undefined || status < 400) return undefined;
  const isJson = headers.some(([name, value]) => name.toLowerCase() === 'content-type' && value.includes('json'));
  const body = isJson ? (parsed(answer.kept()) as Envelope | undefined) : undefined;
  if (typeof body !== 'object' || body === null) return undefined;
  const name: ErrorName | undefined = errorNameOf(status, body);
  return {
    code: body.data?.code ?? body.code ?? status,
    name: name ?? '',
    message: body.data?.reason ?? body.message ?? '',
    meaning: name ? errors[name].doc : '',
  };
}
