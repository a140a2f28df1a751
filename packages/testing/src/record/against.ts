// Sends the calls of a recorded session to a Sealpost server, and compares its answers with the recorded ones.
import { brandHeader, clientVersion, plainHeaders } from '@sealpost/contract';
import type { Timers } from '@sealpost/contract/ports';
import { topics } from '@sealpost/contract/schemas';
import { signRequest } from '@sealpost/crypto';
import { createRpcClient, NetworkError, type RpcClient, systemPorts } from '@sealpost/sdk';
import { errorOf } from '../wire/answers.ts';
import { headerOf } from '../wire/headers.ts';
import { fieldOf, isStruct, parsedJson, textOf } from '../wire/loose-json.ts';
import type { Difference } from '../wire/value-differences.ts';
import { accountsOf } from './accounts.ts';
import { Bindings } from './bindings.ts';
import { bodyBytes } from './recorded-call.ts';
import type { RecordedAnswer, RecordedExchange, SessionFile } from './session-file.ts';

export interface AgainstOptions {
  readonly url: string;
  /** The account that makes the calls. */
  readonly userid: string;
  readonly password: string;
  readonly buildToken?: string;
  /** The brand in header names. Default: that of the recording. */
  readonly brand?: string;
  readonly fetch?: typeof fetch;
  readonly timers?: Timers;
  /** Called with each compared call. */
  readonly onCompared?: (call: ComparedCall) => void;
}

export interface ComparedCall {
  readonly id: number;
  readonly name: string;
  /** The differences that matter; empty if the answers are alike. */
  readonly differences: readonly Difference[];
  /** Recorded ids that no earlier answer had matched with a present id, so they were sent as recorded. */
  readonly unknownIds: readonly string[];
}

export interface SkippedCall {
  readonly id: number;
  readonly name: string;
  readonly reason: string;
}

export interface AgainstReport {
  readonly calls: readonly ComparedCall[];
  readonly skipped: readonly SkippedCall[];
}

/** Endpoints of the login and its session. They are not sent, because the comparison logs in by itself. */
const OF_SESSION = new Set([
  ...Object.keys(topics.login).filter((name) => !/getEncryptedIdentityV3|acquireEncryptedAccessToken/.test(name)),
  'tokenRefresh',
  'longPollLF1',
  'longPollJQ',
]);

/** Logs in, sends the recorded calls one after another, and returns what differs. */
export async function replayAgainst(session: SessionFile, options: AgainstOptions): Promise<AgainstReport> {
  const { url, userid, password, buildToken = 'sealpost-dev', brand = session.brand } = options;
  const client = createRpcClient({ url, buildToken, brand });
  try {
    await client.login({ identifier: userid, password, systemName: 'sealpost replay' });
    const accounts = accountsOf(session);
    const bindings = new Bindings();
    const calls: ComparedCall[] = [];
    const skipped: SkippedCall[] = [];
    const first = mainAccount(session, accounts);
    for (const exchange of session.exchanges) {
      const name = exchange.endpoint ?? `${exchange.verb} ${exchange.path}`;
      const reason = skipReason(exchange, session.brand, accounts, first);
      if (client.session) learnOwnMid(bindings, exchange, client.session.mid, (token) => accounts.get(token) === first);
      if (reason !== undefined) {
        skipped.push({ id: exchange.id, name, reason });
        continue;
      }
      const call = await compareOne(exchange, name, { bindings, client, url, brand, buildToken, session, options });
      calls.push(call);
      options.onCompared?.(call);
    }
    return { calls, skipped };
  } finally {
    client.close();
  }
}

/** Returns the account that makes the first call after a login. */
function mainAccount({ exchanges, brand }: SessionFile, accounts: ReadonlyMap<string, number>): number | undefined {
  const tokens = exchanges.map(({ headers }) => headerOf(headers, brandHeader(brand, 'access')));
  const token = tokens.find((one) => one !== undefined);
  return token === undefined ? undefined : accounts.get(token);
}

function skipReason(
  { endpoint, headers, answer, body, verb }: RecordedExchange,
  brand: string,
  accounts: ReadonlyMap<string, number>,
  main: number | undefined,
): string | undefined {
  if (endpoint === undefined) return 'the contract has no such endpoint';
  if (verb === 'OPTIONS') return 'a browser asked for permission';
  if (OF_SESSION.has(endpoint)) return 'it belongs to the login';
  if (!answer) return 'it has no recorded answer';
  if (answer.events) return 'it is a stream';
  if (answer.end !== 'complete') return 'its recorded answer is not complete';
  if (body.form === 'omitted' || answer.body?.form === 'omitted') return 'a body was too large to record';
  const token = headerOf(headers, brandHeader(brand, 'access'));
  if (token !== undefined && accounts.get(token) !== main) return 'another account made it';
  return undefined;
}

/** Binds the mid that a recorded login returned to the mid of the account that is logged in now. */
function learnOwnMid(
  bindings: Bindings,
  { answer }: RecordedExchange,
  ownMid: string,
  isOwn: (accessToken: string) => boolean,
): void {
  const data = fieldOf(parsedJson(answer?.body?.content ?? ''), 'data');
  const mid = textOf(fieldOf(data, 'mid'));
  const token = textOf(fieldOf(data, 'tokenV3IssueResult', 'accessToken'));
  if (mid !== undefined && token !== undefined && isOwn(token)) bindings.bind(mid, ownMid);
}

interface Surroundings {
  readonly bindings: Bindings;
  readonly client: RpcClient;
  readonly url: string;
  readonly brand: string;
  readonly buildToken: string;
  readonly session: SessionFile;
  readonly options: AgainstOptions;
}

/** Headers that are not taken from the recording, because the new request has other values for them. */
const ANEW = /^(?:host|connection|content-length|transfer-encoding|expect|cookie|accept-encoding|origin|referer)$/i;

async function compareOne(exchange: RecordedExchange, name: string, around: Surroundings): Promise<ComparedCall> {
  const { bindings, client, url, brand, buildToken, session, options } = around;
  const send = options.fetch ?? systemPorts.fetch;
  const { verb, endpoint, answer } = exchange;
  const path = bindings.translate(exchange.path);
  const text = exchange.body.form === 'text' ? bindings.translate(exchange.body.content) : undefined;
  const body = text === undefined ? bodyBytes(exchange.body) : Buffer.from(text);
  const unknownIds = bindings.unknownIn(
    `${exchange.path} ${exchange.body.form === 'text' ? exchange.body.content : ''}`,
  );
  const headers = new Headers();
  for (const [key = '', value = ''] of exchange.headers) {
    if (!ANEW.test(key)) headers.append(withBrand(key, session.brand, brand), bindings.translate(value));
  }
  const recordedToken = headerOf(exchange.headers, brandHeader(session.brand, 'access'));
  const accessToken = recordedToken === undefined ? '' : (client.session?.tokens.accessToken ?? '');
  if (accessToken !== '') headers.set(brandHeader(brand, 'access'), accessToken);
  const versions = [headers.get(brandHeader(brand, 'clientVersion')), headers.get(brandHeader(brand, 'chromeVersion'))];
  const version = versions.find((one) => one !== null) ?? clientVersion;
  if (headers.has(plainHeaders.hmac.name)) {
    headers.set(plainHeaders.hmac.name, await signRequest({ buildToken, version, accessToken, path, body }));
  }
  const hasBody = verb !== 'GET' && verb !== 'HEAD';
  const init: RequestInit = { method: verb, headers, ...(hasBody && { body }), redirect: 'manual' };
  const found = await patiently(name, url, () => send(url + path, init), options);
  return { id: exchange.id, name, differences: answerDifferences(bindings, endpoint, answer, found), unknownIds };
}

/** Maximum number of tries of a call that exceeds a rate limit, and the longest wait in seconds between two tries. */
const TRIES = 10;
const LONGEST_WAIT_S = 60;

interface Answered {
  readonly status: number;
  readonly bytes: Buffer<ArrayBuffer>;
}

/**
 * Sends a call, and sends it again if the server refuses it because of a rate limit. The recorded client may have been
 * slower.
 */
async function patiently(
  name: string,
  url: string,
  send: () => Promise<Response>,
  { timers = systemPorts.timers }: AgainstOptions,
): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send().catch((error) => {
      throw new NetworkError(name, url, error);
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const seconds = Number(response.headers.get('retry-after'));
    const isLimited = errorOf(response.status, bytes.toString('utf8'))?.name === 'EXCESSIVE_ACCESS';
    if (!isLimited || seconds > LONGEST_WAIT_S || attempt === TRIES) return { status: response.status, bytes };
    await new Promise<void>((resolve) => timers.after(seconds * 1000, resolve));
  }
}

/** Returns the name of a header with the present brand in place of the recorded one. */
const withBrand = (name: string, recorded: string, present: string): string =>
  name.toLowerCase().startsWith(`x-${recorded.toLowerCase()}-`)
    ? `X-${present}-${name.slice(recorded.length + 3)}`
    : name;

function answerDifferences(
  bindings: Bindings,
  endpoint: string | undefined,
  recorded: RecordedAnswer | undefined,
  found: Answered,
): Difference[] {
  const before = recorded?.body ? bodyBytes(recorded.body) : Buffer.alloc(0);
  const [error, errorNow] = [
    errorOf(recorded?.status ?? 0, before.toString('utf8')),
    errorOf(found.status, found.bytes.toString('utf8')),
  ];
  if (error || errorNow) {
    const [a, b] = [error, errorNow].map((one) => one && `${one.name ?? 'error'} ${one.code}`);
    return a === b ? [] : [{ place: 'error', recorded: a ?? 'none', now: b ?? 'none' }];
  }
  const status =
    recorded?.status === found.status ? [] : [{ place: 'status', recorded: recorded?.status, now: found.status }];
  const [value, valueNow] = [parsedJson(before.toString('utf8')), parsedJson(found.bytes.toString('utf8'))];
  if (value === undefined || valueNow === undefined) {
    const same = before.equals(found.bytes);
    return [
      ...status,
      ...(same
        ? []
        : [{ place: 'body', recorded: `${before.length} bytes`, now: `${found.bytes.length} other bytes` }]),
    ];
  }
  const [data, dataNow] = [value, valueNow].map((one) => (isStruct(one) && 'data' in one ? one.data : one));
  return [...status, ...bindings.compare(endpoint, data, dataNow)];
}
