// Reads an operation stream, and finds the marks in the texts of messages that the bench sends.
import net from 'node:net';

const READ_BYTES = 64 * 1024;

/**
 * Opens the stream, and calls `marked` with the mark of each delivered message. Resolves when the server has accepted
 * the stream.
 */
export function openEventReader(
  port: number,
  request: string,
  mark: RegExp,
  marked: (mark: string) => void,
  failed: (error: Error) => void,
): Promise<{ close(): void }> {
  let text = '';
  let begun = false;
  let closing = false;
  return new Promise((resolve, reject) => {
    function take(count: number, buffer: Uint8Array): boolean {
      text += (buffer as Buffer).toString('latin1', 0, count);
      if (!begun) {
        const headEnd = text.indexOf('\r\n\r\n');
        if (headEnd < 0) return true;
        if (!text.startsWith('HTTP/1.1 200')) reject(new Error(`the stream was refused: ${text}`));
        begun = true;
        text = text.slice(headEnd + 4);
        resolve({ close });
      }
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const found = mark.exec(text.slice(0, end));
        text = text.slice(end + 2);
        if (found) marked(found[1] as string);
      }
      return true;
    }
    const close = (): void => {
      closing = true;
      socket.destroy();
    };
    const socket = net.connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take },
    });
    socket.once('connect', () => socket.write(request, 'latin1'));
    socket.once('error', reject);
    socket.once('close', () => {
      if (!closing) failed(new Error('the server closed a stream'));
    });
  });
}
