// The engine of a tab, which is the worker with the SDK. Its heap and its processor time are measured separately from
// those of the page.
import type { CDPSession } from '../../packages/web/test/browsers.ts';

export interface Engine {
  /** Sends a command of the browser's debugging protocol to the newest worker of the tab. */
  send<T>(method: string, params?: object): Promise<T>;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export async function engineOf(cdp: CDPSession): Promise<Engine> {
  let last = 0;
  let worker = Promise.withResolvers<string>();
  const waiting = new Map<number, (answer: Answer) => void>();
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') worker.resolve(sessionId);
  });
  cdp.on('Target.detachedFromTarget', () => {
    worker = Promise.withResolvers();
  });
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer;
    waiting.get(answer.id ?? 0)?.(answer);
  });
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  return {
    async send<T>(method: string, params: object = {}) {
      const id = ++last;
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      const message = JSON.stringify({ id, method, params });
      await cdp.send('Target.sendMessageToTarget', { sessionId: await worker.promise, message });
      const { result, error } = await answered;
      waiting.delete(id);
      if (error) throw new Error(`${method}: ${error.message}`);
      return result as T;
    },
  };
}
