// The operation stream (specification: Events): one iterator that continues after restarts, token renewals and lost
// connections.
import { clientVersion, type FullSync, httpPaths, type Operation } from '@sealpost/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Gateway } from './gateway/calls.ts';
import { type ErrorBody, GatewayError } from './gateway/errors.ts';
import { type Backoff, backoffDelay, type ClientPorts, eitherOf, pause } from './gateway/ports.ts';
import { refusal } from './gateway/refusal.ts';
import { textParts } from './gateway/silence.ts';

/**
 * The state of the connection. `degraded`: the connection is lost, and the SDK will try again. `logged_out`: only a new
 * login helps.
 */
export type ConnectionState = 'connecting' | 'online' | 'degraded' | 'logged_out';

export interface StateChange {
  readonly state: ConnectionState;
  /** The cause of `degraded` or `logged_out`; absent for other states. */
  readonly reason?: string;
  /** Milliseconds until the next attempt, for `degraded`. */
  readonly retryInMs?: number;
}

export type StreamEvent =
  | { readonly kind: 'operation'; readonly operation: Operation }
  /**
   * Operations were lost for this client, and the log no longer has them: read chats and messages again. The iterator
   * continues after `nextRevision`.
   */
  | ({ readonly kind: 'fullSync' } & FullSync);

export interface OperationsOptions {
  /**
   * The last revision that the caller handled (`localRev`). The default, `now`, skips all operations up to this moment.
   */
  readonly from?: string;
  readonly onState?: (change: StateChange) => void;
  /** A signal that ends the iteration. */
  readonly signal?: AbortSignal;
}

const STREAM_PATH = httpPaths.operationReceive;
/**
 * Milliseconds without data after which the connection counts as dead. The server sends a ping every 20 s; the rest is
 * a margin.
 */
const SILENCE_MS = 30_000;
const BACKOFF: Backoff = { initialMs: 500, maxMs: 30_000, multiplier: 2, jitter: 0.5 };
/**
 * Connections that end within this time (in milliseconds) count as failures. So a broken server is not called again
 * without a pause.
 */
const SHORT_LIVED_MS = 1_000;

/** Yields operations in order, without gaps or repetitions, until the signal aborts. Throws when the session ends. */
export async function* operations(
  gateway: Gateway,
  ports: ClientPorts,
  locale: string,
  options: OperationsOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { signal } = options;
  const tell = options.onState ?? (() => {});
  const mid = gateway.session.current?.mid;
  let cursor = options.from;
  let failures = 0;
  tell({ state: 'connecting' });
  while (!signal?.aborted) {
    const openedAt = ports.clock.monotonic();
    // If the tokens change from now on, this may be the token of a former session.
    const accessToken = gateway.session.current?.tokens.accessToken;
    try {
      cursor = cursor === undefined || cursor === 'now' ? await gateway.call('TalkService.getLastOpRevision') : cursor;
      for await (const event of connection(gateway, ports, streamPath(cursor, locale), signal, tell)) {
        if (event.kind === 'fullSync') cursor = event.nextRevision;
        else if (BigInt(event.operation.revision) <= BigInt(cursor)) continue;
        else cursor = event.operation.revision;
        failures = 0;
        yield event;
      }
      if (ports.clock.monotonic() - openedAt >= SHORT_LIVED_MS) {
        failures = 0;
        tell({ state: 'connecting' });
        continue;
      }
      throw new Error('the server closed the stream');
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof GatewayError && error.endsSession) await gateway.session.refused(error, accessToken);
      const reason = error instanceof Error ? error.message : String(error);
      const { current } = gateway.session;
      if (!current || current.mid !== mid) {
        tell({ state: 'logged_out', reason });
        throw error;
      }
      if (isFinal(error)) throw error;
      const retryInMs = backoffDelay(BACKOFF, failures++, ports.random);
      tell({ state: 'degraded', reason, retryInMs });
      await pause(ports.timers, retryInMs, signal);
    }
  }
}

/**
 * Returns whether the same request would be refused again, for example because of a wrong signature. The end of a
 * session that is not the current one is not final: the next request has the token of the current one.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof GatewayError &&
  !(error.retry || error.needsRenewal || error.endsSession) &&
  error.http < 500 &&
  error.code !== 0;

function streamPath(localRev: string, language: string): string {
  const query = new URLSearchParams({ localRev, version: clientVersion, lastPartialFullSyncs: '{}', language });
  return `${STREAM_PATH}?${query}`;
}

/** Yields the events of one connection, until it ends. */
async function* connection(
  gateway: Gateway,
  ports: ClientPorts,
  path: string,
  signal: AbortSignal | undefined,
  tell: (change: StateChange) => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  const ours = new AbortController();
  // A connection keeps the token that opened it, so it is opened again after a scheduled renewal.
  const unlisten = gateway.session.listen((event) => event.kind === 'renewed' && event.scheduled && ours.abort());
  try {
    const response = await gateway.open({
      what: 'opening the operation stream',
      method: 'GET',
      path,
      headers: { Accept: 'text/event-stream' },
      signal: eitherOf(ours.signal, signal),
    });
    tell({ state: 'online' });
    for await (const event of serverSentEvents(response, ports)) {
      if (event.event === 'reconnect') return;
      if (event.event === 'talkException') {
        // The error is the same as that of a call.
        const data = { name: 'TalkException', ...(JSON.parse(event.data) as NonNullable<ErrorBody['data']>) };
        throw await refusal('the operation stream', 400, { code: 10051, message: 'RESPONSE_ERROR', data });
      }
      const decoded = decode(event);
      if (decoded) yield decoded;
    }
  } catch (error) {
    if (ours.signal.aborted && !signal?.aborted) return;
    throw error;
  } finally {
    unlisten();
    ours.abort();
  }
}

async function* serverSentEvents(response: Response, ports: ClientPorts): AsyncGenerator<EventSourceMessage> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  for await (const text of textParts(response, ports, SILENCE_MS, 'no ping')) {
    parser.feed(text);
    yield* events.splice(0);
  }
}

/**
 * Decodes an event; returns undefined for event names that this version does not know. Operations have no event name.
 */
function decode({ event, data }: EventSourceMessage): StreamEvent | undefined {
  if (event === undefined) {
    const operation = JSON.parse(data) as Operation;
    // A revision may come as a JSON number too (specification: Wire conventions, Integers).
    return { kind: 'operation', operation: { ...operation, revision: String(operation.revision) } };
  }
  if (event !== 'fullSync') return undefined;
  return { kind: 'fullSync', ...(JSON.parse(data) as FullSync) };
}
