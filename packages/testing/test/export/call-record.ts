// Makes the record of a call, as a workbench has it.
import type { CallRecord } from '@sealpost/contract/workbench';
import { explainCall, type LoggedCall } from '@sealpost/testing/explain';

/** Returns the record of a logged call to a server. */
export function recordOf(url: string, { verb, path, headers, body, answer }: LoggedCall, userid?: string): CallRecord {
  const { endpoint, args } = explainCall({ verb, path, headers, body }, { buildTokens: [] });
  const bytes = Buffer.from(body);
  const isText = !bytes.includes(0xff);
  const answered = Buffer.from(answer?.body ?? []);
  return {
    ...{ id: 1, time: '2026-01-31T12:00:00.000Z', durationMs: 12.5, state: 'answered', verb, path, appended: [] },
    ...(endpoint !== undefined && { endpoint }),
    ...(args && { args: { ...args } }),
    ...(userid !== undefined && { userid }),
    ...(answer && { status: answer.status }),
    remoteAddress: '127.0.0.1',
    bodyBytes: bytes.length,
    answerBytes: answered.length,
    headers: [['Host', new URL(url).host], ...headers.map(([name = '', value = '']) => [name, value])],
    body: bytes.toString(isText ? 'utf8' : 'base64'),
    bodyForm: isText ? 'text' : 'base64',
    answerHeaders: (answer?.headers ?? []).map(([name = '', value = '']) => [name, value]),
    answer: answered.toString('utf8'),
    answerForm: 'text',
  };
}
