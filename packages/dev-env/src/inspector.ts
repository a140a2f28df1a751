// Talks to the inspector of Node in a server that was started with its flags.
import { freePort } from '../../../scripts/test-postgres.ts';

export type InspectorCall = <T>(method: string, params?: object) => Promise<T>;

export interface Inspected {
  /** The flags for the Node of the server. */
  readonly flags: readonly string[];
  /** Opens a connection for some calls, which the work makes one after another. */
  within<T>(work: (call: InspectorCall) => Promise<T>): Promise<T>;
}

export async function inspected(): Promise<Inspected> {
  const port = await freePort();
  return {
    flags: [`--inspect=127.0.0.1:${port}`],
    async within(work) {
      const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
      const targets: InspectorTarget[] = JSON.parse(await listed.text());
      const address = targets[0]?.webSocketDebuggerUrl;
      if (address === undefined) throw new Error(`the inspector at port ${port} has no target`);
      const socket = new WebSocket(address);
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve, { once: true });
        socket.addEventListener('error', reject, { once: true });
      });
      try {
        return await work(<T>(method: string, params = {}) => call<T>(socket, method, params));
      } finally {
        socket.close();
      }
    },
  };
}

interface InspectorTarget {
  readonly webSocketDebuggerUrl: string;
}

/** Calls a method of the inspector. Only one call may be under way. */
function call<T>(socket: WebSocket, method: string, params: object): Promise<T> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(
      'message',
      ({ data }) => {
        const { result, error }: { result: T; error?: { message: string } } = JSON.parse(String(data));
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      },
      { once: true },
    );
    socket.send(JSON.stringify({ id: 1, method, params }));
  });
}
