// Judges what came back on a mutated request.
import type { Outcome } from './exchange.ts';
import type { AbusiveRequest } from './requests.ts';

const FAULT = 500;
const SUCCESS = 300;
/** A server may close the connection while a client still sends a larger request, so its answer may be lost. */
const LARGE = 16 * 1024;
const TRACE = /\bnode:internal|\.[jt]s:\d+:\d+|\n {4}at /;

/** Returns what is wrong with the end of an exchange; undefined if nothing is. */
export function faultOf(request: AbusiveRequest, { answers, end, left, error }: Outcome): string | undefined {
  if (end === 'silent') return 'the server neither answered nor closed the connection';
  if (end === 'garbled') return 'the answer is not HTTP';
  for (const { status, body } of answers) {
    if (status >= FAULT && !request.declared.includes(status)) return `HTTP ${status}: ${body.slice(0, 300)}`;
    if (status >= 400 && TRACE.test(body)) return `HTTP ${status} with a stack: ${body.slice(0, 300)}`;
    if (status < SUCCESS && request.mustFail) return `HTTP ${status} without a valid signature`;
  }
  const mustAnswer = request.outcome === 'answers' && !left && request.bytes.length < LARGE;
  if (mustAnswer && answers.length < request.answers) {
    return `the server closed the connection without an answer${error ? ` (${error})` : ''}`;
  }
  return undefined;
}
