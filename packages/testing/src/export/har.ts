// Writes recorded calls as an HTTP archive (HAR 1.2), which the developer tools of browsers open.
import type { CallRecord } from '@sealpost/contract/workbench';
import { cookiesOf, headerOf } from '../wire/headers.ts';
import { type Destination, originOf } from './record-parts.ts';

interface NameValue {
  readonly name: string;
  readonly value: string;
}

interface HarContent {
  readonly size: number;
  readonly mimeType: string;
  readonly text: string;
  readonly encoding?: 'base64';
}

/** An entry of an archive. Fields that begin with an underscore are additions, which HAR allows. */
interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly queryString: readonly NameValue[];
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly encoding?: 'base64' };
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly content: HarContent;
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
  readonly comment?: string;
  readonly _state: CallRecord['state'];
  readonly _endpoint?: string;
  readonly _fault?: string;
  readonly _tag?: string;
}

export interface Har {
  readonly log: {
    readonly version: '1.2';
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

/** Returns an archive of calls, in their order. */
export const harOf = (records: readonly CallRecord[], destination: Destination = {}): Har => ({
  log: {
    version: '1.2',
    creator: { name: 'sealpost', version: '1' },
    entries: records.map((record) => entryOf(record, destination)),
  },
});

const named = (pairs: Iterable<readonly string[]>): NameValue[] =>
  [...pairs].map(([name = '', value = '']) => ({ name, value }));

/** The number that stands for an unknown size in HAR. */
const UNKNOWN = -1;

function entryOf(record: CallRecord, destination: Destination): HarEntry {
  const { time, durationMs = 0, state, endpoint, fault, tag, error } = record;
  return {
    startedDateTime: time,
    time: durationMs,
    request: requestOf(record, destination),
    response: responseOf(record),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(error && { comment: `${error.name} ${error.code}: ${error.meaning}` }),
    _state: state,
    ...(endpoint !== undefined && { _endpoint: endpoint }),
    ...(fault !== undefined && { _fault: fault }),
    ...(tag !== undefined && { _tag: tag }),
  };
}

function requestOf(record: CallRecord, destination: Destination): HarEntry['request'] {
  const { verb, path, headers, body, bodyForm, bodyBytes } = record;
  const at = path.indexOf('?');
  const mimeType = headerOf(headers, 'Content-Type') ?? 'application/octet-stream';
  return {
    method: verb,
    url: originOf(record, destination) + path,
    httpVersion: 'HTTP/1.1',
    cookies: named(cookiesOf(headerOf(headers, 'Cookie'))),
    headers: named(headers),
    queryString: at < 0 ? [] : named(new URLSearchParams(path.slice(at + 1))),
    ...(body !== '' && { postData: { mimeType, text: body, ...(bodyForm === 'base64' && { encoding: 'base64' }) } }),
    headersSize: UNKNOWN,
    bodySize: bodyBytes,
  };
}

function responseOf({ status = 0, answerHeaders, answer, answerForm, answerBytes }: CallRecord): HarEntry['response'] {
  const setCookies = answerHeaders.filter(([name]) => name?.toLowerCase() === 'set-cookie');
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: named(setCookies.flatMap(([, value]) => cookiesOf(value).slice(0, 1))),
    headers: named(answerHeaders),
    content: {
      size: answerBytes,
      mimeType: headerOf(answerHeaders, 'Content-Type') ?? '',
      text: answer,
      ...(answerForm === 'base64' && { encoding: 'base64' }),
    },
    redirectURL: headerOf(answerHeaders, 'Location') ?? '',
    headersSize: UNKNOWN,
    bodySize: answerBytes,
  };
}
