// Watches every call of the protocol: adds it to the call log, and applies the faults that tests asked for.
import { ServerResponse } from 'node:http';
import { ApiError, type ErrorName, errors } from '@sealpost/contract';
import type { Clock, Timers } from '@sealpost/contract/ports';
import { errorStatus } from '@sealpost/contract/schemas';
import type { Fault } from '@sealpost/contract/workbench';
import {
  type Caller,
  type CallWatch,
  type Emitted,
  type Endpoint,
  type Exchange,
  failure,
  readBody,
  systemPorts,
  type WatchedCall,
} from '@sealpost/server/workbench';
import { type ClientWork, REQUEST_NUMBER } from '../time/client-work.ts';
import { millisOf } from '../time/span.ts';
import { tapAnswer } from './answer-tap.ts';
import type { CallLog, LiveCall } from './call-log.ts';
import type { Faults } from './faults.ts';
import type { StreamTaps } from './stream-taps.ts';

export interface WatchDeps {
  readonly clock: Clock;
  /** The timers for the delays that faults ask for. */
  readonly timers: Timers;
  readonly log: CallLog;
  readonly faults: Faults;
  readonly streams: StreamTaps;
  readonly clients: Pick<ClientWork, 'arrived'>;
  /** Returns the account that a token belongs to, even if the token has expired. */
  readonly midOfToken: (token: string) => string | undefined;
  /** Called when a call begins, changes or ends. */
  readonly changed: (call: LiveCall) => void;
  /** Runs the steps of a call. The call counts as running until they end. */
  readonly underWay: (steps: () => Promise<void>) => Promise<void>;
  /** Looks up an account whose user id is not known yet. */
  readonly learn: (mid: string) => Promise<void>;
  readonly useridOf: (mid: string) => string | undefined;
  readonly midOf: (accountId: number) => Promise<string | undefined>;
}

/** The name of the endpoint that is the operation stream. */
export const STREAM = 'operationReceive';
const NO_BODY = Buffer.alloc(0);
const KEPT_BODY = 256 * 1024;

export function createWatch(deps: WatchDeps): CallWatch {
  let last = 0;
  return {
    begin(exchange, endpoint) {
      last += 1;
      return new WatchedExchange(deps, exchange, endpoint, last);
    },
  };
}

class WatchedExchange implements WatchedCall {
  readonly #deps: WatchDeps;
  readonly #exchange: Exchange;
  readonly #endpoint: Endpoint | undefined;
  readonly #call: LiveCall;
  #body: Promise<Buffer> | undefined;
  /** Resolves when the appended operations are in the call log, in their order. */
  #noted: Promise<void> = Promise.resolve();

  constructor(deps: WatchDeps, exchange: Exchange, endpoint: Endpoint | undefined, id: number) {
    this.#deps = deps;
    this.#exchange = exchange;
    this.#endpoint = endpoint;
    const { response, verb, url, remoteAddress } = exchange;
    const answer = tapAnswer(response, () => {});
    this.#call = {
      ...{ id, verb, path: url, remoteAddress, answer },
      time: deps.clock.now(),
      endpoint: endpoint?.name,
      headers: pairs(exchange.request.rawHeaders).filter(([name]) => name.toLowerCase() !== REQUEST_NUMBER),
      startedAt: systemPorts.clock.monotonic(),
      state: 'running',
      body: NO_BODY,
      bodyBytes: 0,
      appended: [],
    };
    deps.log.add(this.#call);
    response.once('close', () => this.#ended(response.writableFinished ? 'answered' : 'left'));
  }

  async run(steps: (exchange: Exchange) => Promise<void>): Promise<void> {
    const { faults, timers, midOfToken } = this.#deps;
    const token = this.#exchange.accessToken;
    const mid = token === undefined ? undefined : midOfToken(token);
    if (mid !== undefined) await this.#meet(mid);
    this.#deps.changed(this.#call);
    const fault = faults.take(this.#call);
    if (fault) {
      this.#call.fault = fault.id;
      await this.#noteBody();
    }
    this.#arrived();
    const delay = millisOf(fault?.rule.delay ?? 0);
    if (delay > 0) await waited(timers, delay);
    if (fault && !(await this.#stepsWanted(fault, steps))) return;
    await this.#steps(steps, this.#exchange);
  }

  /** Tells the client in this process, if it sent the request, that the request is here. */
  #arrived(): void {
    const { request, response } = this.#exchange;
    const number = request.headers[REQUEST_NUMBER];
    const { answer } = this.#call;
    const sentBytes = (): number | undefined => (answer.fate === 'whole' ? answer.bytes : undefined);
    if (typeof number === 'string') this.#deps.clients.arrived(number, { response, sentBytes });
  }

  /**
   * Reads the body of a call with a fault. The fault may skip the steps that would read it, but the call log must have
   * it.
   */
  async #noteBody(): Promise<void> {
    const most = this.#endpoint?.bodyBytes;
    if (most === undefined) return;
    // The error is ignored here. If the steps run, they get the same error, and the call fails.
    await this.body(() => readBody(this.#exchange.request, most)).catch(() => {});
  }

  body(read: () => Promise<Buffer>): Promise<Buffer> {
    this.#body ??= read().then((body) => {
      this.#call.body = body.subarray(0, KEPT_BODY);
      this.#call.bodyBytes = body.length;
      return body;
    });
    return this.#body;
  }

  caller({ mid }: Caller): void {
    const { streams } = this.#deps;
    this.#callerIs(mid);
    if (this.#endpoint?.name === STREAM)
      streams.add({ mid, response: this.#exchange.response, tap: this.#call.answer });
  }

  /** Notes the caller before faults are chosen. The account may be one that only the server knows. */
  async #meet(mid: string): Promise<void> {
    const { learn, underWay, useridOf } = this.#deps;
    // A token may name an account of another server. The call itself then gets the error.
    if (useridOf(mid) === undefined) await underWay(() => learn(mid)).catch(() => {});
    this.#callerIs(mid);
  }

  #callerIs(mid: string): void {
    const userid = this.#deps.useridOf(mid);
    Object.assign(this.#call, { mid, ...(userid !== undefined && { userid }) });
  }

  appended(emitted: Emitted): Promise<void> {
    this.#noted = this.#noted.then(() => this.#note(emitted));
    return this.#noted;
  }

  async #note({ accountId, revision, type, to }: Emitted): Promise<void> {
    const mid = await this.#deps.midOf(accountId).catch(() => undefined);
    if (mid === undefined) return;
    this.#call.appended.push({ mid, userid: this.#deps.useridOf(mid) ?? null, revision, type, to });
    this.#deps.changed(this.#call);
  }

  /** Applies a fault to the call. Returns true if the usual steps must still run. */
  async #stepsWanted({ rule }: Fault, steps: (exchange: Exchange) => Promise<void>): Promise<boolean> {
    const { response } = this.#exchange;
    const { answer, cut, drop, duplicate } = rule;
    if (answer?.error !== undefined) {
      this.#answerError(answer.error, answer.reason, answer.headers);
      return false;
    }
    if (answer) {
      const { status = 200, headers = {}, body = '' } = answer;
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
      return false;
    }
    if (cut === 'request') {
      this.#ended('cut');
      response.destroy();
      return false;
    }
    if (drop === 'request') {
      this.#ended('dropped');
      return false;
    }
    if (cut !== undefined) {
      this.#call.answer.fate = { cutAfter: cut === 'answer' ? 0 : cut };
      this.#call.state = 'cut';
    }
    if (drop === 'answer') {
      this.#call.answer.fate = 'held';
      this.#call.state = 'dropped';
    }
    if (duplicate) await this.#steps(steps, this.#exchangeBeside());
    return true;
  }

  async #steps(steps: (exchange: Exchange) => Promise<void>, exchange: Exchange): Promise<void> {
    await this.#deps.underWay(() => steps(exchange));
  }

  /** Returns an exchange for the same request whose answer is discarded. */
  #exchangeBeside(): Exchange {
    return this.#exchange.answeredBy(new ServerResponse(this.#exchange.request));
  }

  #answerError(name: string, reason: string | undefined, more: Readonly<Record<string, string>> = {}): void {
    const { response, extraHeaders } = this.#exchange;
    const code = name as ErrorName;
    const body = failure(new ApiError(code, reason ?? errors[code].reason));
    const status = errorStatus(code, this.#endpoint?.declared);
    const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store', ...extraHeaders];
    headers.push(...Object.entries(more).flat());
    response.writeHead(status, headers).end(body);
  }

  #ended(state: LiveCall['state']): void {
    const call = this.#call;
    if (call.endedAt !== undefined) return;
    call.endedAt = systemPorts.clock.monotonic();
    if (call.state === 'running') call.state = state;
    this.#deps.changed(call);
  }
}

const waited = (timers: Timers, ms: number): Promise<void> => new Promise((resolve) => void timers.after(ms, resolve));

const pairs = (raw: readonly string[]): (readonly [string, string])[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
