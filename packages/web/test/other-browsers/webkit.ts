// Drives WebKit over WebDriver, on a screen that exists only in memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../../scripts/test-postgres.ts';
import { type DrivenBrowser, keyActions } from './driven-browser.ts';

/** @param executable the path of WebKitWebDriver */
export async function startWebKit(executable: string): Promise<DrivenBrowser> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [display] = await once(screen.stdout, 'data');
  const port = await freePort();
  const env = { ...process.env, DISPLAY: `:${String(display).trim()}` };
  const driver = spawn(executable, [`--port=${port}`], { env, stdio: 'ignore' });
  const ask = asking(`http://127.0.0.1:${port}`);
  for (let tries = 0; !(await ask('GET', '/status').catch(() => undefined)); tries++) {
    if (tries === 100) throw new Error(`${executable} does not answer`);
    await pause(100);
  }
  const { sessionId } = (await ask('POST', '/session', { capabilities: {} })) as { sessionId: string };
  const session = `/session/${sessionId}`;
  return {
    open: async (url) => void (await ask('POST', `${session}/url`, { url })),
    back: async () => void (await ask('POST', `${session}/back`, {})),
    reload: async () => void (await ask('POST', `${session}/refresh`, {})),
    async run(body) {
      const script = `const [done] = arguments; (async () => { ${body} })().then(
        (value) => done({ value: JSON.stringify(value) ?? 'null' }), (error) => done({ error: String(error) }));`;
      const answer = (await ask('POST', `${session}/execute/async`, { script, args: [] })) as Record<string, string>;
      if (answer.value === undefined) throw new Error(answer.error);
      return JSON.parse(answer.value);
    },
    type: async (text) => void (await ask('POST', `${session}/actions`, { actions: keyActions(text) })),
    async close() {
      await ask('DELETE', session);
      for (const one of [driver, screen]) {
        one.kill();
        await once(one, 'exit');
      }
    },
  };
}

const asking =
  (base: string) =>
  async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(base + path, { method, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text).value;
  };
