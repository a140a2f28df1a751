// Sends raw bytes on a socket, for requests that an HTTP client would not send.
import { connect } from 'node:net';

export interface SocketAnswer {
  /** The HTTP status; 0 if the server closed the connection without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

const TIMEOUT_MS = 5_000;

/** Sends the parts one after the other, and returns the first response. */
export function exchange(url: string, ...parts: readonly (string | Uint8Array)[]): Promise<SocketAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = Buffer.alloc(0);
    const settle = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(read(received));
    };
    const timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms: ${received}`)), TIMEOUT_MS);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (isWhole(received)) settle();
    });
    // A server that refuses a request may reset the connection before all parts are sent.
    socket.on('error', settle);
    socket.on('close', settle);
    for (const part of parts) socket.write(part);
  });
}

function split(received: Buffer): [head: string, body: Buffer] {
  const end = received.indexOf('\r\n\r\n');
  return end < 0
    ? [received.toString('latin1'), Buffer.alloc(0)]
    : [received.subarray(0, end).toString('latin1'), received.subarray(end + 4)];
}

function isWhole(received: Buffer): boolean {
  const [head, body] = split(received);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  return length !== undefined && body.length >= Number(length);
}

function read(received: Buffer): SocketAnswer {
  const [head, body] = split(received);
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body: body.toString('utf8') };
}
