// Explains a call to the author of a client: what it is, what the server answered, what that means, and what to do.
import type { HttpEndpointName } from '@sealpost/contract';
import type { MethodName } from '@sealpost/contract/schemas';
import type { SignatureFinding } from '@sealpost/contract/workbench';
import { type AnswerError, errorOf } from '../wire/answers.ts';
import { argsOf, endpointAt } from '../wire/endpoints.ts';
import type { Header } from '../wire/headers.ts';
import { fieldOf, isStruct, parsedJson, textOf } from '../wire/loose-json.ts';
import { hintsFor, type NextStep, nextStepOf } from './hints.ts';
import { explainSignature, type SignatureKnowledge, type SignedCall } from './signature.ts';

/** A call from a client's log. */
export interface LoggedCall extends SignedCall {
  /** Absent if the log has only the request. The status 0 means that no answer came. */
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body: Uint8Array;
  };
}

export interface ExplainedCall {
  readonly verb: string;
  readonly path: string;
  readonly endpoint?: MethodName | HttpEndpointName;
  readonly summary?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** The field `data` of the answer; the whole answer if it has another form. Absent after an error. */
  readonly result?: unknown;
  readonly error?: AnswerError;
  readonly signature: SignatureFinding;
  readonly nextStep?: NextStep;
  readonly hints: readonly string[];
}

/** Explains the calls of a log. If a signature is wrong, the access tokens of the other calls are tried too. */
export function explainCalls(calls: readonly LoggedCall[], known: SignatureKnowledge): ExplainedCall[] {
  const tokens = [
    ...new Set([...(known.earlierAccessTokens ?? []), ...calls.flatMap((call) => tokensIn(call, known))]),
  ];
  return calls.map((call) => explainCall(call, { ...known, earlierAccessTokens: tokens }));
}

/** Explains one call. */
export function explainCall(call: LoggedCall, known: SignatureKnowledge): ExplainedCall {
  const { verb, path, headers, answer } = call;
  const found = endpointAt(path);
  const args = found && argsOf(found, path, call.body);
  const text = answer && new TextDecoder().decode(answer.body);
  const error = answer && answer.status > 0 ? errorOf(answer.status, text ?? '') : undefined;
  const signature = explainSignature(call, known);
  const seen = {
    ...{ verb, path, headers, found, error, signature },
    brand: known.brand ?? 'Svc',
    status: answer?.status,
    answerHeaders: answer?.headers ?? [],
  };
  const nextStep = nextStepOf(seen);
  const result = text === undefined || error ? undefined : resultOf(text);
  return {
    verb,
    path,
    ...(found && { endpoint: found.name, summary: found.entry.summary }),
    ...(args && { args }),
    ...(answer && { status: answer.status }),
    ...(result !== undefined && { result }),
    ...(error && { error }),
    signature,
    ...(nextStep && { nextStep }),
    hints: hintsFor(seen),
  };
}

function resultOf(text: string): unknown {
  const value = parsedJson(text);
  return isStruct(value) && 'data' in value ? value.data : (value ?? text);
}

const ACCESS = /^x-.+-access$/i;

/** Returns the access tokens that a call shows: in its headers, and in the answer of a login or a renewal. */
function tokensIn({ headers, answer }: LoggedCall, { accessToken }: SignatureKnowledge): string[] {
  const sent = headers.flatMap(([name = '', value = '']) => (ACCESS.test(name) ? [value] : []));
  const body = answer && parsedJson(new TextDecoder().decode(answer.body));
  const issued = [['data'], ['data', 'tokenV3IssueResult']]
    .map((path) => textOf(fieldOf(body, ...path, 'accessToken')))
    .filter((token) => token !== undefined);
  return [...sent, ...issued, ...(accessToken === undefined ? [] : [accessToken])];
}
