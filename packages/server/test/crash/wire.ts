// Calls and streams of a crash test. Each is a single attempt, so that the test itself controls retries and resumption.
import { brandHeader, clientVersion, httpPaths, pathOf, plainHeaders } from '@sealpost/contract';
import { prepareKey, sign } from '@sealpost/crypto/node';
import type { Person } from './server-with-crash-points.ts';

const CALL_TIMEOUT_MS = 15_000;

/** Error for a broken connection, after which nobody knows whether the call took effect. */
export class Unknown extends Error {
  override name = 'Unknown';
}

function headersOf(person: Person, path: string, body: string): Record<string, string> {
  const key = prepareKey('sealpost-dev', clientVersion, person.accessToken);
  return {
    'Content-Type': 'application/json',
    [brandHeader('Svc', 'clientVersion')]: clientVersion,
    [brandHeader('Svc', 'access')]: person.accessToken,
    [plainHeaders.hmac.name]: sign(key, path, Buffer.from(body)),
  };
}

export async function call<T>(
  url: string,
  person: Person,
  method: string,
  args: readonly unknown[],
  service: 'TalkService' | 'PushService' = 'TalkService',
): Promise<T> {
  const path = pathOf(`${service}.${method}`);
  const body = JSON.stringify(args);
  let response: Response;
  let text: string;
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    response = await fetch(url + path, { method: 'POST', headers: headersOf(person, path, body), body, signal });
    text = await response.text();
  } catch (cause) {
    throw new Unknown(`${method} was not answered`, { cause });
  }
  if (response.status === 503) throw new Unknown(`${method}: ${text}`);
  if (response.status !== 200) throw new Error(`${method}: ${response.status} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

export interface WireOperation {
  readonly revision: string;
  readonly type: number;
  readonly message?: { readonly id: string; readonly text?: string; readonly from: string; readonly to: string };
}

/** Reads operations after a revision until the connection ends or `signal` aborts. */
export async function readStream(
  url: string,
  person: Person,
  cursor: number,
  signal: AbortSignal,
  delivered: (operation: WireOperation, id: number) => void,
): Promise<void> {
  const path = `${httpPaths.operationReceive}?localRev=${cursor}`;
  try {
    const response = await fetch(url + path, { headers: headersOf(person, path, ''), signal });
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = new Map(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        );
        text = text.slice(end + 2);
        if (fields.get('event') === 'fullSync') throw new Error(`fullSync after cursor ${cursor}`);
        if (!fields.has('event'))
          delivered(JSON.parse(fields.get('data') as string) as WireOperation, Number(fields.get('id')));
      }
    }
  } catch (error) {
    // A broken connection is expected in this test. The operations that were read before the break count.
    if (error instanceof Error && error.message.startsWith('fullSync')) throw error;
  }
}
