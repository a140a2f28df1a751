// A request while it is mutated: first its parts, then its signature, then its bytes.
import { brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import { prepareKey, sign } from '@sealpost/crypto/node';
import type { Header, ValidCall } from './valid-calls.ts';

const BUILD_TOKEN = 'sealpost-dev';
const BRAND = 'Svc';

/**
 * What comes of a sent request:
 * - `answers`: it is whole HTTP, so it must be answered
 * - `unsure`: the server may wait for more, answer or close; once the client has ended, the server must close
 * - `leaves`: the client ends at once, so nothing but a closed connection is expected
 */
export type Outcome = 'answers' | 'unsure' | 'leaves';

export interface Draft {
  readonly call: ValidCall;
  verb: string;
  path: string;
  version: string;
  headers: Header[];
  token: string;
  clientVersion: string;
  body: Buffer;
  /** The signature to send; undefined for the right one, and empty for none. */
  signature: string | undefined;
  /** The value of Content-Length; undefined for the right one, and empty for none. */
  length: string | undefined;
  outcome: Outcome;
  /** The number of answers to wait for. */
  answers: number;
  /** True if a success would show that the server does not check the signature. */
  isForged: boolean;
}

export const draftOf = (call: ValidCall): Draft => ({
  call,
  verb: call.verb,
  path: call.path,
  version: 'HTTP/1.1',
  headers: [...call.headers],
  token: call.token,
  clientVersion,
  body: call.body,
  signature: call.signed ? undefined : '',
  length: undefined,
  outcome: 'answers',
  answers: 1,
  isForged: false,
});

const keys = new Map<string, ReturnType<typeof prepareKey>>();
/** Prepared keys of tokens that are used once fill the map, so it is emptied now and then. */
const MOST_KEYS = 1000;

/** Returns the right signature of a draft as it is now. */
export function signatureOf({ path, body, token, clientVersion: version }: Draft): string {
  const name = `${version} ${token}`;
  let key = keys.get(name);
  if (!key) {
    if (keys.size >= MOST_KEYS) keys.clear();
    key = prepareKey(BUILD_TOKEN, version, token);
    keys.set(name, key);
  }
  return sign(key, path, body);
}

/** Returns the bytes of a draft. Characters of its head are bytes. */
export function bytesOf(draft: Draft): Buffer {
  const { verb, path, version, headers, token, body, length } = draft;
  const signature = draft.signature ?? signatureOf(draft);
  const sent: Header[] = [
    ['Host', 'localhost'],
    [brandHeader(BRAND, 'clientVersion'), draft.clientVersion],
    ...(token === '' ? [] : [[brandHeader(BRAND, 'access'), token] as const]),
    ...(signature === '' ? [] : [[plainHeaders.hmac.name, signature] as const]),
    ...headers,
  ];
  const usualLength = verb === 'GET' || verb === 'HEAD' ? '' : String(body.length);
  const stated = length ?? (body.length > 0 ? String(body.length) : usualLength);
  if (stated !== '') sent.push(['Content-Length', stated]);
  const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${verb} ${path} ${version}\r\n${lines}\r\n`, 'latin1');
  return Buffer.concat([head, body]);
}
