// Calls of this server to other servers. Each call has limits, and connects to exactly the IP address that was checked.
import { lookup as systemLookup } from 'node:dns/promises';
import type { Agent } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Clock, Timers } from '@sealpost/contract/ports';
import { Agent as HttpAgent, request as requestHttp } from '../http/node-http.ts';
import { growingCache } from '../kernel/growing-cache.ts';
import { type AddressRules, createAddressRules, hostOf } from './address-rules.ts';

export interface OutboundCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Milliseconds after which the host may be called again; 0 if the host did not ask for a pause and did not fail. */
  readonly retryAfterMs: number;
}

/** Error for an address that this server does not call. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused';
}

/** Error for a call without an answer. */
export class OutboundFailed extends Error {
  override name = 'OutboundFailed';
  /** Milliseconds after which the host may be called again. */
  readonly retryAfterMs: number;
  constructor(message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Outbound {
  /** Returns why an address may not be called; undefined if its text shows no reason. */
  refusalOf(url: string): string | undefined;
  /**
   * Sends a POST and returns the status of the answer. Redirects are not followed; their status is returned.
   * @throws OutboundRefused, OutboundFailed
   */
  post(url: string, call: OutboundCall): Promise<OutboundAnswer>;
  close(): void;
}

export interface OutboundDeps extends AddressRules {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Returns the IP addresses of a host. By default, the machine's resolver is asked. */
  readonly resolve?: (host: string) => Promise<readonly ResolvedAddress[]>;
}

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

const TIMEOUT_MS = 10_000;
/**
 * Maximum number of bytes that are read from an answer. Only the status and the headers matter, so the rest is cut off.
 */
const MOST_ANSWER_BYTES = 16 * 1024;
const CONNECTIONS = { keepAlive: true, maxSockets: 20, maxTotalSockets: 100 };
const FIRST_BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 300_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
const MOST_HOSTS = 10_000;

interface Trouble {
  readonly failures: number;
  /** Time on the monotonic clock until which the host is not called. */
  readonly until: number;
}

export function createOutbound({ clock, timers, resolve = resolveHost, ...rules }: OutboundDeps): Outbound {
  const { allows, refusalOf } = createAddressRules(rules);
  const troubles = growingCache<string, Trouble>(MOST_HOSTS);
  const agents = { http: new HttpAgent(CONNECTIONS), https: new https.Agent(CONNECTIONS) };

  /** Records a failure of a host. Returns the milliseconds during which the host is not called. */
  function fail(host: string, retryAfterMs: number): number {
    const failures = (troubles.get(host)?.failures ?? 0) + 1;
    const ms = Math.max(retryAfterMs, Math.min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS));
    troubles.set(host, { failures, until: clock.monotonic() + ms });
    return ms;
  }

  /**
   * Returns the function with which a connection finds the IP address of its host. The connection uses the addresses
   * that this function checked, so no second answer of the resolver can replace them.
   */
  const lookupFor =
    (protocol: string): LookupFunction =>
    (host, options, callback) => {
      resolve(host).then(
        (found) => {
          const allowed = found.filter(({ address }) => allows(address, protocol));
          const [first] = allowed;
          if (!first) callback(new OutboundRefused(`${host} has no address that may be called`), '', 0);
          else if (options.all) callback(null, [...allowed]);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, '', 0),
      );
    };

  async function post(text: string, call: OutboundCall): Promise<OutboundAnswer> {
    const refusal = refusalOf(text);
    if (refusal !== undefined) throw new OutboundRefused(`${shown(text)} is not called: ${refusal}`);
    const url = new URL(text);
    const wait = (troubles.get(url.host)?.until ?? 0) - clock.monotonic();
    if (wait > 0) throw new OutboundFailed(`${url.host} is left alone after a failure`, wait);
    try {
      const agent = url.protocol === 'https:' ? agents.https : agents.http;
      const { status, retryAfter } = await send(url, call, { timers, agent, lookup: lookupFor(url.protocol) });
      if (status !== 429 && status < 500) {
        troubles.delete(url.host);
        return { status, retryAfterMs: 0 };
      }
      return { status, retryAfterMs: fail(url.host, millisecondsOf(retryAfter, clock.now())) };
    } catch (error) {
      if (error instanceof OutboundRefused) throw error;
      const message = `${url.host} gave no answer: ${error}`;
      throw new OutboundFailed(message, fail(url.host, 0), { cause: error });
    }
  }

  return {
    refusalOf,
    post,
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Connection {
  readonly timers: Timers;
  readonly agent: Agent;
  readonly lookup: LookupFunction;
}

/** Sends a request. Returns the status of the answer and its header Retry-After. */
function send(url: URL, { headers, body }: OutboundCall, { timers, agent, lookup }: Connection) {
  const request = url.protocol === 'https:' ? https.request : requestHttp;
  const { promise, resolve: done, reject } = Promise.withResolvers<{ status: number; retryAfter: string }>();
  const call = request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': String(body.length) },
    host: hostOf(url),
    lookup,
  });
  const late = timers.after(TIMEOUT_MS, () => call.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
  call.on('error', reject);
  call.on('response', (response) => {
    const { statusCode: status = 0, headers: given } = response;
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > MOST_ANSWER_BYTES) response.destroy();
    });
    // The status is known, so it does not matter how the rest of the answer ends.
    response.on('error', () => {});
    response.on('close', () => done({ status, retryAfter: given['retry-after'] ?? '' }));
  });
  call.end(body);
  return promise.finally(() => late.cancel());
}

const resolveHost = (host: string): Promise<readonly ResolvedAddress[]> => systemLookup(host, { all: true });

/** Returns an address in a form for messages: without its path, which may be a secret. */
const shown = (url: string): string => URL.parse(url)?.origin ?? 'the address';

/** Returns the milliseconds that a header Retry-After asks for. The header holds seconds or a date. */
function millisecondsOf(retryAfter: string, now: number): number {
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS) : 0;
}
