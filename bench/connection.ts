// A minimal HTTP/1.1 client that needs little processor time. It has one keep-alive connection, and sends a request
// only after the last answer.
import net from 'node:net';

const READ_BYTES = 16 * 1024;

export interface Connection {
  /**
   * Sends one request. Calls `answered` with the status and the body of the answer. The caller must wait for the answer
   * before the next request.
   */
  send(request: string, answered: (status: number, body: string) => void): void;
  close(): void;
}

export function openConnection(port: number, failed: (error: Error) => void): Promise<Connection> {
  let text = '';
  let answered: ((status: number, body: string) => void) | undefined;
  let closing = false;

  function take(count: number, buffer: Uint8Array): boolean {
    text += (buffer as Buffer).toString('latin1', 0, count);
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return true;
    const end = headEnd + 4 + contentLength(text, headEnd);
    if (text.length < end) return true;
    const status = Number(text.slice(9, 12));
    const body = text.slice(headEnd + 4, end);
    text = text.slice(end);
    const then = answered;
    answered = undefined;
    then?.(status, body);
    return true;
  }

  return new Promise((resolve, reject) => {
    const socket = net.connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take },
    });
    socket.once('connect', () =>
      resolve({
        send(request, then) {
          answered = then;
          socket.write(request, 'latin1');
        },
        close() {
          closing = true;
          socket.destroy();
        },
      }),
    );
    socket.once('error', reject);
    socket.once('close', () => {
      if (!closing) failed(new Error('the server closed a connection'));
    });
  });
}

function contentLength(text: string, headEnd: number): number {
  const at = text.search(/content-length: /i);
  if (at < 0 || at > headEnd) throw new Error(`an answer without a length: ${text.slice(0, headEnd)}`);
  return Number.parseInt(text.slice(at + 16, at + 26), 10);
}
