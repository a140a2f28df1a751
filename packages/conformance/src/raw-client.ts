// A client that does not use the SDK, so that checks decide every byte and header. It signs with scheme 1, and reuses
// its connections.
import * as http from 'node:http';
import * as https from 'node:https';
import {
  brandHeader,
  clientVersion,
  type ErrorEntry,
  type ErrorName,
  errors,
  type MethodName,
  pathOf,
} from '@sealpost/contract';
import { errorStatus, type HttpEndpoint } from '@sealpost/contract/schemas';
import { prepareKey, sign } from '@sealpost/crypto/node';
import { pause } from './surroundings.ts';

export interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly body: Envelope;
}

export interface Envelope {
  readonly code: number;
  readonly message: string;
  /** The `data` of the answer; empty if the answer is not JSON. */
  readonly data: Loose;
}

/** JSON of any shape. A field that does not exist is undefined. */
export interface Loose {
  readonly [key: string]: Loose | undefined;
}

export interface RawRequest {
  readonly verb?: string;
  readonly body?: string | Uint8Array;
  readonly token?: string | undefined;
  /** Headers that replace the usual ones. The value `undefined` removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** If false, no signature is sent. A string is sent in place of the right signature. */
  readonly signature?: string | false;
}

export interface RawClientOptions {
  readonly url: string;
  readonly brand?: string;
  readonly buildToken?: string;
  /**
   * If true, a call that exceeds a rate limit is repeated after the time that the server names. Otherwise, checks would
   * report rate limits as faults.
   */
  readonly patient?: true;
}

const TRIES = 10;
const LONGEST_WAIT_S = 30;

export type RawClient = ReturnType<typeof createRawClient>;

export function createRawClient({ url, brand = 'Svc', buildToken = 'sealpost-dev', patient }: RawClientOptions) {
  const { hostname, port, protocol } = new URL(url);
  const { Agent, request } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const keys = new Map<string, ReturnType<typeof prepareKey>>();

  /**
   * Returns the value of the signature header.
   * @param token the access token to sign with; the request also contains it, unless `headers` replaces it
   */
  function signatureOf(path: string, body: string | Uint8Array, token = '', version: string = clientVersion): string {
    const name = `${version} ${token}`;
    const key = keys.get(name) ?? prepareKey(buildToken, version, token);
    keys.set(name, key);
    return sign(key, path, typeof body === 'string' ? Buffer.from(body) : body);
  }

  async function send(path: string, request?: RawRequest): Promise<RawAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await exchange(path, request);
      const seconds = Number(answer.headers['retry-after']);
      const limited = seconds <= LONGEST_WAIT_S && errorsOf(answer).includes('EXCESSIVE_ACCESS');
      if (!patient || !limited || attempt === TRIES) return answer;
      await pause(seconds * 1000);
    }
  }

  function exchange(
    path: string,
    { verb = 'POST', body = '', token, headers, signature }: RawRequest = {},
  ): Promise<RawAnswer> {
    const complete: Record<string, string | undefined> = {
      'Content-Type': 'application/json',
      [brandHeader(brand, 'clientVersion')]: clientVersion,
      'X-LAL': 'en_US',
      [brandHeader(brand, 'access')]: token,
      'X-Hmac': signature === false ? undefined : (signature ?? signatureOf(path, body, token)),
      ...headers,
    };
    const present = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          path,
          method: verb,
          agent,
          headers: { ...present, ...(verb === 'GET' ? {} : { 'Content-Length': Buffer.byteLength(body) }) } as Record<
            string,
            string
          >,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: envelopeOf(text) });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(verb === 'GET' ? undefined : body);
    });
  }

  return {
    url,
    brand,
    send,
    signatureOf,
    call: (method: MethodName, args: readonly unknown[], token?: string) =>
      send(pathOf(method), { body: JSON.stringify(args), token }),
    close: () => agent.destroy(),
  };
}

function envelopeOf(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return { code: Number.NaN, message: `no JSON: ${text.slice(0, 100)}`, data: {} };
  }
}

/**
 * Returns the errors of the contract that match an answer; none for a success.
 * @param endpoint the endpoint that was called; undefined if it was a method
 */
export function errorsOf({ status, body }: RawAnswer, endpoint?: HttpEndpoint): ErrorName[] {
  const data = body.data as { name?: string; code?: number } | undefined;
  return (Object.keys(errors) as ErrorName[]).filter((name) => {
    const entry: ErrorEntry = errors[name];
    if (errorStatus(name, endpoint) !== status) return false;
    if (entry.exception === 'gateway') return entry.code === body.code;
    return body.code === 10051 && data?.name === entry.exception && data.code === entry.code;
  });
}
