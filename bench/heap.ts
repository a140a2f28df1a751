// Reads the heap of a server after its garbage was collected, through the inspector of Node. The memory that the system
// counts for a process does not tell: Node keeps pages that it needs no more.
import { type InspectorCall, inspected } from '@sealpost/dev-env/inspector';

const MIB = 2 ** 20;

export interface Heap {
  /** The flags for the Node of the server. */
  readonly flags: readonly string[];
  /** Collects the garbage, and returns the MiB that are still in use. */
  usedMib(): Promise<number>;
  /**
   * Returns the number of timers that are set, without those of sockets. A socket has one while its client may make the
   * next request, so their number depends on the moment. Node's own figure has only timers that keep the process alive.
   */
  timers(): Promise<number>;
}

const TIMER = 'const timer = setTimeout(() => {}, 0); clearTimeout(timer); Object.getPrototypeOf(timer)';
/** The name of the function of Node that is called by the timer of a socket. */
const OF_SOCKET = 'onStreamTimeout';
const COUNT = `function () {
  return this.filter((timer) => !timer._destroyed && timer._onTimeout?.name !== '${OF_SOCKET}').length;
}`;

async function timersOf(call: InspectorCall): Promise<number> {
  const found = await call<{ result: { objectId: string } }>('Runtime.evaluate', { expression: `{ ${TIMER} }` });
  const { objects } = await call<{ objects: { objectId: string } }>('Runtime.queryObjects', {
    prototypeObjectId: found.result.objectId,
  });
  const { result } = await call<{ result: { value: number } }>('Runtime.callFunctionOn', {
    objectId: objects.objectId,
    functionDeclaration: COUNT,
    returnByValue: true,
  });
  return result.value;
}

export async function inspectedHeap(): Promise<Heap> {
  const { flags, within } = await inspected();
  return {
    flags,
    usedMib: () =>
      within(async (call) => {
        await call('HeapProfiler.collectGarbage');
        const { usedSize } = await call<{ usedSize: number }>('Runtime.getHeapUsage');
        return usedSize / MIB;
      }),
    timers: () => within(timersOf),
  };
}
