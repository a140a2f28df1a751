// Drives Firefox over WebDriver BiDi.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { newProfile, removeProfile } from '@sealpost/dev-env/chromium';
import { type DrivenBrowser, keyActions } from './driven-browser.ts';

interface Answer {
  readonly id: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result: Readonly<Record<string, unknown>>;
}

/** @param executable the path of Firefox */
export async function startFirefox(executable: string): Promise<DrivenBrowser> {
  const profile = newProfile();
  const firefox = spawn(executable, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(firefox, 'exit');
  const { send, close } = await connect(`${await addressIn(firefox.stderr)}/session`);
  await send('session.new', { capabilities: {} });
  const { context } = await send('browsingContext.create', { type: 'tab' });
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    back: async () => void (await send('browsingContext.traverseHistory', { context, delta: -1 })),
    reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
    async run(body) {
      const functionDeclaration = `async () => JSON.stringify(await (async () => { ${body} })()) ?? 'null'`;
      const call = { functionDeclaration, target: { context }, awaitPromise: true };
      const answer = await send('script.callFunction', call);
      assert.equal(answer.type, 'success', JSON.stringify(answer));
      return JSON.parse((answer.result as { value: string }).value);
    },
    type: async (text) => void (await send('input.performActions', { context, actions: keyActions(text) })),
    async close() {
      await send('browser.close', {});
      close();
      await gone;
      removeProfile(profile);
    },
  };
}

/** Returns the address that Firefox writes when it can be driven. */
async function addressIn(lines: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of lines) {
    text += part;
    const [address] = /ws:\/\/\S+(?=\s)/.exec(text) ?? [];
    if (address) return address;
  }
  throw new Error(`Firefox cannot be driven: ${text}`);
}

async function connect(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, PromiseWithResolvers<Answer['result']>>();
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(data);
    const call = waiting.get(answer.id);
    if (answer.type === 'success') call?.resolve(answer.result);
    else call?.reject(new Error(data));
  });
  await once(socket, 'open');
  let last = 0;
  return {
    send(method: string, params: object): Promise<Answer['result']> {
      const call = Promise.withResolvers<Answer['result']>();
      last += 1;
      waiting.set(last, call);
      socket.send(JSON.stringify({ id: last, method, params }));
      return call.promise;
    },
    close: () => socket.close(),
  };
}
