// A gateway in front of a real server, which makes one chosen mistake.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Exchange {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** What the gateway changes in requests and answers. Everything that a fault does not name passes unchanged. */
export interface Fault {
  readonly request?: (exchange: Exchange) => Exchange;
  readonly answer?: (answer: Answer, exchange: Exchange) => Answer | Promise<Answer>;
  /** Returns whether an answer stops in its middle, on a connection that stays open. */
  readonly stalls?: (exchange: Exchange) => boolean;
  /** Returns what to send in place of an event of the stream. */
  readonly event?: (event: string, number: number) => string;
}

export async function startFaultyGateway(target: string, fault: Fault) {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const bytes = await bytesOf(incoming);
    const asked = exchangeOf(incoming, bytes);
    const { verb, path, headers, body: text } = fault.request?.(asked) ?? asked;
    // The bytes of a file pass as they are.
    const body = text === asked.body ? bytes : Buffer.from(text);
    const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
    const forward = request({ hostname, port, method: verb, path, headers: { ...headers, ...length } }, (response) => {
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        outgoing.flushHeaders();
        const events = eventWise(fault.event ?? ((event) => event));
        response.on('data', (chunk: Buffer) => outgoing.write(events(String(chunk))));
        response.on('end', () => outgoing.end());
        outgoing.on('close', () => response.destroy());
        return;
      }
      void bytesOf(response)
        .then(async (answered) => {
          const text = answered.toString('utf8');
          const answer = { status: response.statusCode ?? 0, text };
          const told = (await fault.answer?.(answer, asked)) ?? answer;
          const { 'content-length': _length, ...rest } = response.headers;
          outgoing.writeHead(told.status, { ...rest, 'content-length': String(Buffer.byteLength(told.text)) });
          if (fault.stalls?.(asked)) outgoing.write(told.text.slice(0, told.text.length / 2));
          else outgoing.end(told.text);
        })
        .catch(() => outgoing.destroy());
    });
    forward.on('error', () => outgoing.destroy());
    forward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const exchangeOf = (incoming: IncomingMessage, body: Buffer): Exchange => ({
  verb: incoming.method ?? '',
  path: incoming.url ?? '',
  headers: incoming.headers,
  body: body.toString('utf8'),
});

const bytesOf = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray());

/** Splits the received text into whole events, and passes each event with its number to `change`. */
function eventWise(change: (event: string, number: number) => string): (text: string) => string {
  let rest = '';
  let number = 0;
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.map((event) => change(`${event}\n\n`, number++)).join('');
  };
}
