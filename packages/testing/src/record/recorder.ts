// A proxy between a client and a gateway that records every exchange. It passes all bytes on as they come. The signature
// covers path and body and not the host, so requests stay valid.
import * as http from 'node:http';
import * as https from 'node:https';
import type { Ports } from '@sealpost/contract/ports';
import { endpointAt } from '../wire/endpoints.ts';
import { pairsOf } from '../wire/headers.ts';
import { listening } from './listening.ts';
import { towardClient, towardGateway } from './proxy-headers.ts';
import { RecordingExchange } from './recording-exchange.ts';
import { redactAll } from './redact.ts';
import { type RecordedExchange, type SessionFile, sessionHead } from './session-file.ts';
import { Vault } from './vault.ts';

export interface RecorderOptions {
  /** The address of the gateway, without a path. */
  readonly target: string;
  readonly ports: Pick<Ports, 'clock'>;
  /** The port to listen on; 0 for a free one. Default: 0. */
  readonly port?: number;
  /** The address to listen on. Default: this machine only. */
  readonly host?: string;
  /** The brand in header names. Default: `Svc`. */
  readonly brand?: string;
  /** Maximum number of bytes of a body that are kept. Default: 8 MiB. */
  readonly bodyLimit?: number;
  /** Called with each exchange when it has ended. The exchange still contains its secrets. */
  readonly onExchange?: (exchange: RecordedExchange) => void;
}

export interface Recorder {
  readonly url: string;
  /** Returns everything recorded so far, without secrets. */
  session(): SessionFile;
  /** Ends all connections, and waits until the last exchange is recorded. */
  close(): Promise<void>;
}

const BODY_LIMIT = 8 * 1024 * 1024;

/** Starts the proxy. */
export async function startRecorder(options: RecorderOptions): Promise<Recorder> {
  const { ports, port = 0, host = '127.0.0.1', bodyLimit = BODY_LIMIT } = options;
  const target = new URL(options.target);
  const begun = { wall: ports.clock.now(), monotonic: ports.clock.monotonic() };
  const exchanges: RecordingExchange[] = [];
  const elapsed = (): number => ports.clock.monotonic() - begun.monotonic;

  const server = http.createServer((incoming, response) => {
    const { method: verb = '', url: path = '/', rawHeaders } = incoming;
    const exchange = new RecordingExchange({
      ...{ id: exchanges.length + 1, verb, path, elapsed, bodyLimit },
      headers: pairsOf(rawHeaders),
      endpoint: endpointAt(path)?.name,
    });
    exchanges.push(exchange);
    forward(target, incoming, response, exchange);
    void exchange.ended.then(() => options.onExchange?.(exchange.recorded()));
  });
  // There is no time limit, because a stream may be silent for a long time.
  server.requestTimeout = 0;
  const url = await listening(server, port, host);

  return {
    url,
    session() {
      const recorded = exchanges.map((exchange) => exchange.recorded());
      const vault = new Vault();
      const clean = redactAll(vault, recorded);
      return {
        ...sessionHead,
        recordedTime: new Date(begun.wall).toISOString(),
        target: target.origin,
        brand: options.brand ?? 'Svc',
        secrets: vault.counts,
        exchanges: clean,
      };
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const exchange of exchanges) exchange.stop();
      server.closeAllConnections();
      await closed;
      await Promise.all(exchanges.map((exchange) => exchange.ended));
    },
  };
}

/** Passes a request on, and its answer back, each piece as it comes. */
function forward(
  target: URL,
  incoming: http.IncomingMessage,
  response: http.ServerResponse,
  exchange: RecordingExchange,
): void {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const { request } = target.protocol === 'https:' ? https : http;
  const onward = request({
    hostname: target.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: target.port,
    method,
    path: url,
    headers: towardGateway(rawHeaders, target.host, method),
    agent: false,
  });
  incoming.on('data', (piece: Buffer) => exchange.request(piece));
  incoming.on('end', () => exchange.requestEnded());
  incoming.pipe(onward);
  onward.on('response', (answer) => {
    exchange.answer(answer.statusCode ?? 502, pairsOf(answer.rawHeaders));
    answer.on('data', (piece: Buffer) => exchange.piece(piece));
    answer.on('end', () => exchange.end('complete'));
    answer.on('error', () => {
      exchange.end('cut');
      response.destroy();
    });
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, towardClient(answer.rawHeaders));
    response.flushHeaders();
    answer.pipe(response);
  });
  onward.on('error', (error) => {
    exchange.fail(error.message);
    if (response.headersSent || response.destroyed) response.destroy();
    else
      response
        .writeHead(502, { 'Content-Type': 'text/plain' })
        .end(`${target.origin} does not answer: ${error.message}\n`);
  });
  response.on('close', () => {
    if (!response.writableFinished) exchange.end('left');
    onward.destroy();
  });
}
