// Reads the operation stream without the SDK. Returns every event in the order of arrival, even if an event is repeated
// or out of order.
import * as http from 'node:http';
import * as https from 'node:https';
import { Mismatch } from './mismatch.ts';
import type { Loose } from './raw-client.ts';
import { timers } from './surroundings.ts';

export interface StreamEvent {
  /** The name of the event; undefined for operations. */
  readonly name: string | undefined;
  readonly data: Loose;
}

export interface OpenStream {
  readonly status: number;
  readonly contentType: string | undefined;
  /** Returns all lines that have arrived so far, unchanged. */
  lines(): readonly string[];
  /** Returns all events that have arrived so far. */
  events(): readonly StreamEvent[];
  /** Resolves to the first operation of the stream for which `fits` returns true. */
  operation(fits: (operation: Loose) => boolean): Promise<Loose>;
  /** Resolves to the first event with this name. */
  event(name: string): Promise<StreamEvent>;
  /** Resolves when the server closes the stream. */
  readonly closed: Promise<void>;
  close(): void;
}

const PATIENCE_MS = 10_000;

export function openStream(
  url: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<OpenStream> {
  const { hostname, port, protocol } = new URL(url);
  const { request } = protocol === 'https:' ? https : http;
  const present = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, path, headers: { Accept: 'text/event-stream', ...present } as Record<string, string> },
      (response) => resolve(readStream(response, outgoing)),
    );
    outgoing.on('error', (error) => reject(error));
    outgoing.end();
  });
}

function readStream(response: http.IncomingMessage, outgoing: http.ClientRequest): OpenStream {
  let text = '';
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
    wake();
  });
  response.on('error', () => {});
  const closed = new Promise<void>((done) => response.on('close', done));
  const find = (what: string, fits: (event: StreamEvent) => boolean) =>
    new Promise<StreamEvent>((found, missed) => {
      const timer = timers.after(PATIENCE_MS, () => {
        waiting.delete(look);
        missed(new Mismatch(`${what} on the stream within ${PATIENCE_MS / 1000} s`, `the stream:\n${text}`));
      });
      const look = () => {
        try {
          const event = eventsOf(text).find(fits);
          if (!event) return;
          found(event);
        } catch (error) {
          missed(error);
        }
        timer.cancel();
        waiting.delete(look);
      };
      waiting.add(look);
      look();
    });
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'],
    lines: () => text.split('\n'),
    events: () => eventsOf(text),
    operation: async (fits) => (await find('an operation', ({ name, data }) => name === undefined && fits(data))).data,
    event: (name) => find(`an event ${name}`, (event) => event.name === name),
    closed,
    close: () => outgoing.destroy(),
  };
}

/**
 * Parses events as strictly as the strictest client. Every line of an event must have a colon, and its data must be one
 * line of JSON.
 */
function eventsOf(text: string): StreamEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map<string, string>();
    for (const line of block.split('\n').filter((l) => l !== '')) {
      const colon = line.indexOf(':');
      if (colon < 0) throw new Mismatch('a colon in every line of the stream', line);
      fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''));
    }
    const data = fields.get('data');
    return data === undefined ? [] : [{ name: fields.get('event'), data: jsonOf(data) }];
  });
}

function jsonOf(line: string): Loose {
  try {
    return JSON.parse(line) as Loose;
  } catch {
    throw new Mismatch('the data of an event to be one line of JSON', line);
  }
}
