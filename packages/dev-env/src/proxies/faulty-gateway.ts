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
  readonly answer?: (answer: Answer, exchange: Exchange) => Answer;
  /** Returns what to send in place of an event of the stream. */
  readonly event?: (event: string, number: number) => string;
}

export async function startFaultyGateway(target: string, fault: Fault) {
  const { hostname, port } = new URL(target);
  const server = createServer(async (incoming, outgoing) => {
    const asked = await exchangeOf(incoming);
    const { verb, path, headers, body } = fault.request?.(asked) ?? asked;
    const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
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
      void textOf(response).then((text) => {
        const answer = { status: response.statusCode ?? 0, text };
        const told = fault.answer?.(answer, asked) ?? answer;
        const { 'content-length': _length, ...rest } = response.headers;
        outgoing.writeHead(told.status, { ...rest, 'content-length': String(Buffer.byteLength(told.text)) });
        outgoing.end(told.text);
      });
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

const exchangeOf = async (incoming: IncomingMessage): Promise<Exchange> => ({
  verb: incoming.method ?? '',
  path: incoming.url ?? '',
  headers: incoming.headers,
  body: await textOf(incoming),
});

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

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
