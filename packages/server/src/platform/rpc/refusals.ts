// Turns every error of every endpoint into an HTTP response.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@sealpost/contract';
import type { Random, Timers } from '@sealpost/contract/ports';
import { errorStatus } from '@sealpost/contract/schemas';
import { ClientGone } from '../http/body.ts';
import type { ClientAddress } from '../http/client-address.ts';
import { WrongVerb } from '../http/wrong-verb.ts';
import type { Logger } from '../kernel/logger.ts';
import { randomHex } from '../kernel/random-text.ts';
import { eventOf, type SecurityEvents } from '../kernel/security-events.ts';
import { StoreFull, StoreSilent, StoreUnavailable } from '../store/store.ts';
import type { ObservedCall } from './call-observer.ts';
import type { Endpoint } from './endpoint.ts';
import { failure } from './envelope.ts';
import { RateExceeded } from './rate-exceeded.ts';
import { ContractBroken } from './strict-contract.ts';
import { writeAnswer, writeHead } from './write-answer.ts';

export interface RefusalDeps {
  readonly clientAddress: ClientAddress;
  readonly events: SecurityEvents;
  readonly random: Random;
  readonly timers: Timers;
  readonly log: Logger;
  /** Called with each error that is a fault of the server or its database. */
  readonly onFault: (error: unknown) => void;
}

export interface Refusal {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly extraHeaders: readonly string[];
  /** The error or other value that was thrown. */
  readonly error: unknown;
  /** The endpoint of the request; undefined if no endpoint serves the path. */
  readonly endpoint: Endpoint | undefined;
  /** The call; undefined for a request outside of the protocol. */
  readonly call: ObservedCall | undefined;
}

export type Refuse = (refusal: Refusal) => void;

/**
 * The most bytes and milliseconds that the server spends on reading the rest of a refused body. Afterwards, the server
 * closes the connection.
 */
const DROPPED_BYTES = 32 * 1024 * 1024;
const DROPPED_MS = 5_000;

export function createRefusals({ clientAddress, events, random, timers, log, onFault }: RefusalDeps): Refuse {
  return ({ request, response, extraHeaders, error, endpoint, call }) => {
    const path = request.url?.split('?')[0];
    if (error instanceof ClientGone) {
      log.debug({ path }, 'a client left before its request was complete');
      call?.left();
      return;
    }
    const requestId = call?.requestId ?? randomHex(random, 8);
    const fault = apiErrorOf(error, { requestId, path, log, onFault });
    const told = endpoint?.toldOf(fault) ?? fault;
    const status = errorStatus(told.code, endpoint?.declared);
    call?.refused(told.code, status, requestId);
    const event = eventOf(told);
    if (event) events.note(event, clientAddress(request));
    if (response.headersSent || response.destroyed) return;
    // If the call has an id, all its answers already have this header.
    const id = call?.requestId === undefined ? ['X-Request-Id', requestId] : [];
    const headers = [...id, ...extraHeaders, ...adviceOf(told)];
    const body = failure(told);
    if (request.complete) {
      writeAnswer(response, status, body, headers);
      return;
    }
    headers.push('Connection', 'close');
    response.write(body, writeHead(response, status, body, headers));
    dropRest(request, timers, () => response.end());
  };
}

interface FaultDeps extends Pick<RefusalDeps, 'log' | 'onFault'> {
  readonly requestId: string;
  readonly path: string | undefined;
}

/**
 * Returns the error that the caller gets. Any error that is not an ApiError becomes UNKNOWN_ERROR or OVERLOADED, and
 * its cause is logged.
 */
function apiErrorOf(error: unknown, { requestId, path, log, onFault }: FaultDeps): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ContractBroken) return new ApiError('UNKNOWN_ERROR', error.message);
  onFault(error);
  if (error instanceof StoreUnavailable) {
    log.error({ error, requestId }, 'the store is unavailable');
    return new ApiError('OVERLOADED', unavailable(error));
  }
  log.error({ error, requestId, path }, 'a request failed');
  return new ApiError('UNKNOWN_ERROR', `request ${requestId} failed; the log of the server says why`);
}

/** Returns the text that tells the caller about a failure of the store. */
function unavailable(error: StoreUnavailable): string {
  if (error instanceof StoreFull)
    return 'the disk of the server is full and nothing was stored; try again once its operator made room';
  if (error instanceof StoreSilent)
    return 'the database does not answer: the call may have taken effect or not; repeat it as it is';
  return 'the store is unavailable, try again';
}

/** Returns headers that tell the client when or how to repeat the call. */
function adviceOf(error: ApiError): readonly string[] {
  if (error instanceof RateExceeded) return ['Retry-After', String(Math.ceil(error.retryAfterMs / 1000))];
  if (error.code === 'OVERLOADED') return ['Retry-After', '1'];
  return error instanceof WrongVerb ? ['Allow', error.allowed] : [];
}

/**
 * Reads the rest of a refused body before the connection is closed. Closing with unread bytes resets the connection,
 * and the client may never see the answer.
 */
function dropRest(request: IncomingMessage, timers: Timers, done: () => void): void {
  let left = DROPPED_BYTES;
  const timer = timers.after(DROPPED_MS, finish);
  function finish(): void {
    timer.cancel();
    done();
  }
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) finish();
  });
  for (const end of ['end', 'error', 'close']) request.once(end, finish);
  request.resume();
}
