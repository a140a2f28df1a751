// A proxy in front of the S3 server of a test run. It can disturb a request like a bad network or an overloaded server.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fault =
  /** The connection is reset before the server gets the request. */
  | 'reset'
  /**
   * The request does not reach the server. The answer says that the server failed (`broken`) or gets too many requests
   * (`slow down`).
   */
  | 'broken'
  | 'slow down'
  /** The server does the work, but its answer is lost. */
  | 'lost answer'
  /** The request gets no answer, and the connection stays open. */
  | 'silence'
  /** The connection breaks in the middle of the answer. */
  | 'half an answer';

export interface FaultProxy {
  readonly url: string;
  /**
   * Returns the fault for a request, if any. `action` is the name of the S3 action, such as `PutObject` or
   * `UploadPart`.
   */
  fault: (action: string) => Fault | undefined;
  /** The actions of all requests, in order. */
  readonly seen: string[];
  /** The headers of all requests, in order. */
  readonly heard: IncomingHttpHeaders[];
  /** The largest number of large bodies that were sent at the same time. A repeated body counts once. */
  readonly mostBodies: number;
  close(): Promise<void>;
}

const LARGE = 1024 * 1024;

const refusals = {
  broken: [500, 'InternalError'],
  'slow down': [503, 'SlowDown'],
} as const;

/**
 * Starts the proxy.
 * @param target the address of the S3 server, `http://host:port`
 */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const { hostname, port } = new URL(target);
  const held = new Set<ServerResponse>();
  /** The paths of the large bodies that are being sent. A path names the object and the part. */
  const bodies = new Set<string | undefined>();
  let mostBodies = 0;

  function forward(incoming: IncomingMessage, response: ServerResponse, fault: Fault | undefined): void {
    const { method, url: path, rawHeaders: headers } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      // The body counts as sent before the client gets the answer, because the client may then send the next body at
      // once.
      bodies.delete(path);
      if (fault === 'lost answer') {
        answer.resume().once('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      if (fault !== 'half an answer') {
        answer.pipe(response);
        return;
      }
      const half = Number(answer.headers['content-length'] ?? 0) / 2;
      let sent = 0;
      answer.on('data', (chunk: Buffer) => {
        const piece = chunk.subarray(0, Math.max(0, half - sent));
        sent += piece.length;
        response.write(piece, () => {
          if (sent >= half) response.destroy();
        });
      });
      answer.once('end', () => response.destroy());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    incoming.pipe(onward);
  }

  const server = createServer((incoming, response) => {
    const action = actionOf(incoming);
    proxy.seen.push(action);
    proxy.heard.push(incoming.headers);
    if (Number(incoming.headers['content-length'] ?? 0) >= LARGE) {
      bodies.add(incoming.url);
      mostBodies = Math.max(mostBodies, bodies.size);
      response.once('close', () => bodies.delete(incoming.url));
    }
    const fault = proxy.fault(action);
    if (fault === 'reset') response.destroy();
    else if (fault === 'silence') held.add(response);
    else if (fault === 'broken' || fault === 'slow down') {
      const [status, code] = refusals[fault];
      incoming.resume().once('end', () => {
        response.writeHead(status, { 'Content-Type': 'application/xml' });
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>injected</Message></Error>`);
      });
    } else forward(incoming, response, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    seen: [],
    heard: [],
    get mostBodies() {
      return mostBodies;
    },
    close() {
      for (const response of held) response.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return proxy;
}

/** Returns the S3 action of a request. The path of a request is /bucket or /bucket/key. */
function actionOf({ method, url = '' }: IncomingMessage): string {
  const { pathname, searchParams } = new URL(url, 'http://s3');
  const ofObject = pathname.split('/').length > 2 && !pathname.endsWith('/');
  const upload = searchParams.has('uploadId');
  if (!ofObject) return searchParams.has('uploads') ? 'ListMultipartUploads' : 'ListObjectsV2';
  if (method === 'PUT') return upload ? 'UploadPart' : 'PutObject';
  if (method === 'POST') return upload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload';
  if (method === 'DELETE') return upload ? 'AbortMultipartUpload' : 'DeleteObject';
  if (method === 'HEAD') return 'HeadObject';
  return upload ? 'ListParts' : 'GetObject';
}
