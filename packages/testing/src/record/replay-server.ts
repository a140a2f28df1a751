// Serves a recorded session as a gateway does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Ports } from '@sealpost/contract/ports';
import { pairsOf } from '../wire/headers.ts';
import { listening } from './listening.ts';
import { Matching, type NotRecorded, notRecordedText } from './matching.ts';
import { inPresentTime } from './present-time.ts';
import { bodyBytes } from './recorded-call.ts';
import type { RecordedAnswer, RecordedExchange, SessionFile } from './session-file.ts';

export interface ReplayOptions {
  readonly ports: Pick<Ports, 'clock'>;
  /** The port to listen on; 0 for a free one. Default: 0. */
  readonly port?: number;
  readonly host?: string;
  /** Called with the recorded exchange that answers a call, for each call. */
  readonly onServed?: (exchange: RecordedExchange) => void;
  /** Called for each call that was not recorded, with its description as data and as text. */
  readonly onNotRecorded?: (missing: NotRecorded, text: string) => void;
}

export interface Replay {
  readonly url: string;
  /** The calls that were not recorded. */
  readonly notRecorded: readonly NotRecorded[];
  /** The recorded exchanges that no call has asked for yet. */
  readonly left: readonly RecordedExchange[];
  close(): Promise<void>;
}

/** Headers that Node writes itself. */
const OWN_HEADERS = /^(?:content-length|transfer-encoding|content-encoding|connection|keep-alive|date)$/i;
/**
 * The status for a call that was not recorded. It is below 500, because clients repeat calls after 500 and above, which
 * would not help.
 */
const NOT_RECORDED = 404;

/** Starts the gateway that answers from the recording. */
export async function startReplay(session: SessionFile, options: ReplayOptions): Promise<Replay> {
  const { port = 0, host = '127.0.0.1' } = options;
  const matching = new Matching(session);
  const notRecorded: NotRecorded[] = [];
  const progress = new Progress(session);
  const shiftMs = options.ports.clock.now() - Date.parse(session.recordedTime);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray());
    const { method: verb = '', url: path = '/', rawHeaders } = request;
    const match = matching.take({ verb, path, headers: pairsOf(rawHeaders), body });
    if ('exchange' in match) {
      options.onServed?.(match.exchange);
      progress.served(match.exchange);
      await answer(match.exchange, response, progress, shiftMs);
      return;
    }
    const text = notRecordedText(match.notRecorded);
    notRecorded.push(match.notRecorded);
    options.onNotRecorded?.(match.notRecorded, text);
    const data = { statusCode: NOT_RECORDED, reason: text };
    response
      .writeHead(NOT_RECORDED, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ code: 10052, message: 'RESPONSE_HTTP_ERROR', data }));
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const url = await listening(server, port, host);
  return {
    url,
    notRecorded,
    get left() {
      return matching.left;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { answer: recorded, startMs, id }: RecordedExchange,
  response: ServerResponse,
  progress: Progress,
  shiftMs: number,
): Promise<void> {
  if (!recorded) {
    response.destroy();
    return;
  }
  const headers = recorded.headers.filter(([name = '']) => !OWN_HEADERS.test(name));
  response.writeHead(recorded.status, headers.flat());
  if (recorded.events) {
    await stream(recorded, { id, startMs }, response, progress);
    return;
  }
  const content = recorded.body ? bodyBytes(recorded.body) : Buffer.alloc(0);
  const text = recorded.body?.form === 'text' ? inPresentTime(content.toString('utf8'), shiftMs) : content;
  if (recorded.end === 'cut') {
    response.write(text, () => response.destroy());
    return;
  }
  response.end(text);
}

/** Writes the events of a stream. Each waits until the client has made the calls that were recorded before it. */
async function stream(
  { events = [], end }: RecordedAnswer,
  opened: Pick<RecordedExchange, 'id' | 'startMs'>,
  response: ServerResponse,
  progress: Progress,
): Promise<void> {
  response.flushHeaders();
  for (const { ms, text } of events) {
    await progress.until(opened, opened.startMs + ms);
    if (response.destroyed) return;
    response.write(text);
  }
  if (end === 'complete') response.end();
  if (end === 'cut') response.destroy();
  // If the stream was still open when the recording ended, it stays open.
}

/** Tracks which recorded calls the client has made, so that streams do not send events before their time. */
class Progress {
  readonly #exchanges: readonly RecordedExchange[];
  readonly #served = new Set<number>();
  #wake: (() => void)[] = [];

  constructor({ exchanges }: SessionFile) {
    this.#exchanges = exchanges;
  }

  served({ id }: RecordedExchange): void {
    this.#served.add(id);
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** Waits until the client has made all calls that were recorded after a stream was opened and before a time. */
  async until(opened: Pick<RecordedExchange, 'id'>, atMs: number): Promise<void> {
    const awaited = this.#exchanges.filter(
      ({ id, startMs, answer }) => id > opened.id && startMs < atMs && !answer?.events,
    );
    while (awaited.some(({ id }) => !this.#served.has(id))) {
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }
}
