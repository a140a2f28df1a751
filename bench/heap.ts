// Reads the heap of a server after its garbage was collected, through the inspector of Node. The memory that the system
// counts for a process does not tell: Node keeps pages that it needs no more.
import { freePort } from '../scripts/test-postgres.ts';

const MIB = 2 ** 20;

export interface Heap {
  /** The flags for the Node of the server. */
  readonly flags: readonly string[];
  /** Collects the garbage, and returns the MiB that are still in use. */
  usedMib(): Promise<number>;
}

export async function inspectedHeap(): Promise<Heap> {
  const port = await freePort();
  return {
    flags: [`--inspect=127.0.0.1:${port}`],
    async usedMib() {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as InspectorTarget[];
      const address = targets[0]?.webSocketDebuggerUrl;
      if (address === undefined) throw new Error(`the inspector at port ${port} has no target`);
      const socket = new WebSocket(address);
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve, { once: true });
        socket.addEventListener('error', reject, { once: true });
      });
      try {
        await call(socket, 'HeapProfiler.collectGarbage');
        const { usedSize } = (await call(socket, 'Runtime.getHeapUsage')) as { usedSize: number };
        return usedSize / MIB;
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
function call(socket: WebSocket, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(
      'message',
      ({ data }) => {
        const { result, error } = JSON.parse(String(data)) as { result?: unknown; error?: { message: string } };
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result);
      },
      { once: true },
    );
    socket.send(JSON.stringify({ id: 1, method }));
  });
}
