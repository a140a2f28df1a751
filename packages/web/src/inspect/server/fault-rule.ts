// The fields of the form for a fault, and the rule that they describe.
import type { ErrorName } from '@sealpost/contract';
import type { Fault, FaultRule, Span } from '@sealpost/contract/workbench';

export const actions = [
  ['error', 'Answer with an error'],
  ['status', 'Answer with a status and a body'],
  ['delay', 'Only wait'],
  ['cut request', 'Cut the connection before the call is handled'],
  ['cut answer', 'Cut the connection instead of the answer'],
  ['drop request', 'Never answer, and do not handle it'],
  ['drop answer', 'Handle it, and never answer'],
  ['duplicate', 'Handle it twice'],
] as const;
export type FaultAction = (typeof actions)[number][0];

export interface FaultFields {
  readonly action: FaultAction;
  readonly method: string;
  readonly account: string;
  readonly error: ErrorName;
  readonly reason: string;
  readonly status: string;
  readonly body: string;
  readonly delay: string;
  readonly rate: string;
  readonly times: string;
}

export const noFields: FaultFields = {
  ...{ action: 'error', method: '', account: '', error: 'OVERLOADED', reason: '', status: '503', body: '' },
  ...{ delay: '', rate: '100', times: '' },
};

const span = (text: string): Span => (/^\d+$/.test(text) ? Number(text) : text);

function actionOf({ action, error, reason, status, body }: FaultFields): FaultRule {
  switch (action) {
    case 'error':
      return { answer: { error, ...(reason !== '' && { reason }) } };
    case 'status':
      return { answer: { status: Number(status), ...(body !== '' && { body }) } };
    case 'cut request':
    case 'cut answer':
      return { cut: action === 'cut request' ? 'request' : 'answer' };
    case 'drop request':
    case 'drop answer':
      return { drop: action === 'drop request' ? 'request' : 'answer' };
    case 'duplicate':
      return { duplicate: true };
    case 'delay':
      return {};
  }
}

/** Returns the rule that a filled form describes. The server checks the rule. */
export function ruleOf(fields: FaultFields): FaultRule {
  const { method, account, delay, rate, times } = fields;
  return {
    ...((method !== '' || account !== '') && {
      match: { ...(method !== '' && { method }), ...(account !== '' && { account }) },
    }),
    ...actionOf(fields),
    ...(delay !== '' && { delay: span(delay) }),
    ...(rate !== '' && rate !== '100' && { rate: Number(rate) / 100 }),
    ...(times !== '' && { times: Number(times) }),
  };
}

/** Returns a description of a rule: what it does, and to which calls. */
export function wordsOf({ rule }: Fault): { readonly does: string; readonly to: string } {
  const { match = {}, delay, answer, cut, drop, duplicate, rate, times } = rule;
  const does = [
    delay !== undefined && `waits ${typeof delay === 'number' ? `${delay} ms` : delay}`,
    answer && `answers ${answer.error ?? answer.status ?? 200}`,
    cut !== undefined && (typeof cut === 'number' ? `cuts after ${cut} bytes` : `cuts the ${cut}`),
    drop !== undefined && `drops the ${drop}`,
    duplicate && 'handles it twice',
  ].filter(Boolean);
  const { method, account, path } = match;
  const calls = [
    method === undefined ? 'every call' : method,
    account !== undefined && `of ${account}`,
    path !== undefined && `at ${path}`,
    rate !== undefined && `in ${Math.round(rate * 100)} %`,
    times !== undefined && `${times} times`,
  ].filter(Boolean);
  return { does: does.join(', '), to: calls.join(' ') };
}
