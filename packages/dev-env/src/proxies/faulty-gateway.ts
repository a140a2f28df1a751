// A gateway in front of a real server that behaves like the server, except for one fault.
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

/**
 * The changes that the gateway makes to requests and answers. Without the function for a kind of change, everything
 * passes unchanged.
 */
export interface Fault {
  readonly request?: (exchange: Exchange) => Exchange;
  readonly answer?: (answer: Answer, exchange: Exchange) => Answer | Promise<Answer>;
  /** Returns true if the answer is to stop in its middle while the connection stays open. */
  readonly stalls?: (exchange: Exchange) => boolean;
  /** Returns the text that replaces an event of the stream. Events are numbered in the order of arrival. */
  readonly event?: (event: string, number: number) => string;
}

export async function startFaultyGateway(target: string, fault: Fault) {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const bytes = await bytesOf(incoming);
    const asked = exchangeOf(incoming, bytes);
    const { verb, path, headers, body: text } = fault.request?.(asked) ?? asked;
    // An unchanged body is passed as bytes, because a file may not be valid text.
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

/**
 * Returns a function that takes pieces of the stream. It collects whole events and calls `change` with each event and
 * its number.
 */
function eventWise(change: (event: string, number: number) => string): (text: string) => string {
  let rest = '';
  let number = 0;
  return (text) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    return parts.map((event) => change(`${event}\n\n`, number++)).join('');
  };
}
