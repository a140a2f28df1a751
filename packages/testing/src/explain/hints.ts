// Makes hints for the author of a client: what to do about an answer.
import { always, type ErrorName, errors } from '@sealpost/contract';
import type { SignatureFinding } from '@sealpost/contract/workbench';
import type { AnswerError } from '../wire/answers.ts';
import { type FoundEndpoint, similarMethod } from '../wire/endpoints.ts';
import { type Header, headerOf } from '../wire/headers.ts';

/**
 * The next step of the client:
 * - `go on`: the call succeeded
 * - `retry`: send the same call again, with the same reqSeq
 * - `renew`: renew the tokens, then repeat the call once
 * - `log in`: the call needs a session
 * - `stop`: the session is over
 * - `fix`: the call itself is wrong, so a repetition fails too
 */
export type NextStep = 'go on' | 'retry' | 'renew' | 'log in' | 'stop' | 'fix';

export interface Seen {
  readonly verb: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly brand: string;
  readonly found: FoundEndpoint | undefined;
  readonly status: number | undefined;
  readonly answerHeaders: readonly Header[];
  readonly error: AnswerError | undefined;
  readonly signature: SignatureFinding;
}

const ends: readonly (ErrorName | undefined)[] = [
  'SESSION_LOGGED_OUT',
  'AUTHENTICATION_FAILED',
  'AUTH_INVALID_REQUEST',
];

/** Returns what the client should do next; undefined if there is no answer to judge by. */
export function nextStepOf({ status, error }: Pick<Seen, 'status' | 'error'>): NextStep | undefined {
  if (status === undefined) return undefined;
  if (status === 0) return 'retry';
  if (!error) return 'go on';
  if (ends.includes(error.name)) return 'stop';
  if (error.name === 'REQUEST_NEED_LOGIN') return 'log in';
  if (error.name === 'MUST_REFRESH_V3_TOKEN' || status === 401) return 'renew';
  return error.retry ? 'retry' : 'fix';
}

/** Returns advice about a call, the most important first. */
export function hintsFor(seen: Seen): string[] {
  return [...stepHints(seen), ...pathHints(seen), ...headerHints(seen), ...signatureHints(seen)];
}

function stepHints(seen: Seen): string[] {
  const { error, found, answerHeaders } = seen;
  const step = nextStepOf(seen);
  const wait = headerOf(answerHeaders, 'Retry-After');
  const numbered = found?.kind === 'method' && found.entry.reqSeq !== undefined;
  const same = numbered ? ' Keep its reqSeq: the server then does the work only once.' : '';
  const declared = undeclared(found, error);
  const advice = error && error.advice !== error.meaning ? [error.advice] : [];
  switch (step) {
    case 'retry':
      if (seen.status === 0) return [`No answer came, and the call may have taken effect. Send it again.${same}`];
      return [`Retry: send the same call again${wait === undefined ? '' : ` after ${wait} s`}.${same}`, ...declared];
    case 'renew':
      return ['Renew: call /api/auth/tokenRefresh with the refresh token, then repeat this call once.'];
    case 'stop':
      return ['Stop: the session is over. Close the stream, forget the tokens, and let the user log in again.'];
    case 'log in':
      return ['Log in first, and send the access token with every call.'];
    case 'fix':
      return ['Do not retry: the same call fails again.', ...advice, ...declared];
    default:
      return [];
  }
}

/**
 * Returns a hint if the contract does not declare the error for the method. Errors of HTTP need no declaration, because
 * every path may answer them.
 */
function undeclared(found: FoundEndpoint | undefined, error: AnswerError | undefined): string[] {
  if (found?.kind !== 'method' || error?.name === undefined) return [];
  const { name } = error;
  const declared: readonly ErrorName[] = [...always, ...found.entry.errors];
  if (declared.includes(name) || errors[name].code === errors.NOT_FOUND_PATH.code) return [];
  return [`The contract does not declare ${name} for ${found.name}.`];
}

function pathHints({ verb, path, found }: Seen): string[] {
  if (!found) {
    const similar = similarMethod(path);
    return similar === undefined ? [] : [`Nothing serves this path. ${similar.name} is at ${similar.path}.`];
  }
  const verbs = found.kind === 'method' ? ['POST'] : Object.keys(found.entry.verbs);
  return verbs.includes(verb) ? [] : [`${found.name} takes ${verbs.join(' or ')}, not ${verb}.`];
}

const ACCESS = /^x-(.+)-access$/i;

/** Returns hints about headers that the server ignores, because they have another brand. */
function headerHints({ headers, brand }: Seen): string[] {
  const brands = headers.flatMap(([name = '']) => ACCESS.exec(name)?.[1] ?? []);
  const other = brands.find((one) => one.toLowerCase() !== brand.toLowerCase());
  return other === undefined
    ? []
    : [`The access token is in X-${other}-Access, but the brand here is ${brand}. Explain with --brand ${other}.`];
}

function signatureHints({ signature, found }: Seen): string[] {
  const needed = found?.kind === 'method' || found?.entry.signed === true;
  if (signature.state === 'absent') return needed ? ['The request has no signature: send X-Hmac.'] : [];
  if (signature.state === 'right' || signature.cause !== undefined) return [];
  return [
    'The signature is wrong, and no single mistake explains it. Check the build token, and compare the ingredients one by one.',
  ];
}
