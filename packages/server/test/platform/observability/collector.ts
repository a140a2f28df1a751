// A collector of traces. It takes OTLP over HTTP in JSON, and keeps the spans.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The numbers of OTLP for the kinds of spans. */
export const kinds = { internal: 1, server: 2, client: 3, producer: 4 };
/** The number of OTLP for the status of a span that failed. */
export const FAILED = 2;

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string | number;
  readonly doubleValue?: number;
}

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
  readonly status: { readonly code?: number };
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: WireSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface CollectedSpan extends Omit<WireSpan, 'attributes'> {
  readonly attributes: Attributes;
}

export interface Collector {
  readonly url: string;
  /** The bodies of all requests. */
  readonly bodies: string[];
  /** The number of requests, including those that were refused. */
  readonly requests: number;
  spans(): CollectedSpan[];
  /** Returns the attributes of the server that sent the spans. */
  resource(): Attributes;
  /** Answers with this status from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  let requests = 0;
  let status = 200;
  const server = createServer(async (request, response) => {
    requests += 1;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const isRight = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
    if (isRight && status === 200) bodies.push(Buffer.concat(parts).toString());
    response.writeHead(isRight ? status : 404, { 'Content-Type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parsed = () =>
    bodies.map((body): WireRequest => JSON.parse(body)).flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    get requests() {
      return requests;
    },
    spans: () =>
      parsed()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: attributesOf(span.attributes) }))),
    resource: () => attributesOf(parsed()[0]?.resource.attributes ?? []),
    answer: (given) => {
      status = given;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const attributesOf = (given: WireSpan['attributes']): Attributes =>
  Object.fromEntries(
    given.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
