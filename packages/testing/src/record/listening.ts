import type { Server } from 'node:http';
import { getSystemErrorMessage } from 'node:util';

/**
 * Lets a server listen, and returns its address.
 * @throws Error if it cannot listen there
 */
export async function listening(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.errno === undefined ? error.message : getSystemErrorMessage(error.errno);
      reject(new Error(`${host}:${port} cannot be used: ${why}. Take another port or address.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}
