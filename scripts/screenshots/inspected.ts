// A server of tests whose clients do right and wrong things, and a browser that shows its inspector.
import { keyPairOf, signRequest } from '@sealpost/crypto';
import { startTestServer } from '@sealpost/testing';
import { type Browser, type BrowserContextOptions, type Page, sizes } from '../../packages/web/test/browsers.ts';
import { clientOf, midOf, type Sealer, sealer, sendSealed } from '../../packages/web/test/inspect/traffic.ts';
import { seededRandom } from './fixed.ts';

export interface Inspected {
  readonly inspector: Page;
  /** The receiver of a sealed message, with the private key. */
  readonly receiver: Sealer;
  /** The sealed message as JSON. */
  readonly sealed: string;
  close(): Promise<void>;
}

const PATH = '/api/talk/thrift/Talk/TalkService/getProfile';

export async function openInspected(browser: Browser, options: BrowserContextOptions): Promise<Inspected> {
  const server = await startTestServer({ accounts: ['maya', 'nils', 'ruth'] });
  const context = await browser.newContext({ ...options, viewport: sizes.desktop });
  const inspector = await context.newPage();
  inspector.on('pageerror', ({ message }) => console.error(message));
  await inspector.goto(`${server.url}/inspect`);
  await inspector.getByText('Live', { exact: true }).waitFor();

  const random = seededRandom('inspector');
  const maya = await sealer(server, 'maya', keyPairOf(random.bytes(32)));
  const receiver = await sealer(server, 'nils', keyPairOf(random.bytes(32)));
  const ruth = await clientOf(server, 'ruth');
  for (const text of ['Are you there?', 'The front door opens at nine']) {
    await maya.client.TalkService.getContact(receiver.mid);
    await sendSealed(maya, receiver, text);
    await server.clock.advance('3s');
    await receiver.client.TalkService.getProfile(0);
  }
  const toMaya = { id: '', to: midOf(server, 'maya'), toType: 0, contentType: 0, text: 'Good morning' } as const;
  await ruth.TalkService.sendMessage(1, toMaya);
  server.fault({ match: { method: 'getContact', account: 'ruth' }, answer: { error: 'OVERLOADED' } });
  await server.clock.advance('2s');
  await ruth.TalkService.getContact(maya.mid).catch(() => undefined);
  await ruth.TalkService.getProfile(0);
  await server.clock.advance('2s');
  const sealed = JSON.stringify(await sendSealed(maya, receiver, 'See you at the pier'), null, 2);
  await server.clock.advance('1s');
  await callSignedTooEarly(server.url, server.buildToken, (await server.login('nils')).accessToken);
  await inspector.getByRole('option').filter({ hasText: 'REQUEST_INVALID_HMAC' }).waitFor();
  return { inspector, receiver, sealed, close: () => server.close() };
}

/** Makes a call whose signature leaves the access token out. */
async function callSignedTooEarly(url: string, buildToken: string, accessToken: string): Promise<void> {
  const body = '[0]';
  const signature = await signRequest({ buildToken, version: '3.7.2', accessToken: '', path: PATH, body });
  const headers = { 'content-type': 'application/json', 'x-svc-access': accessToken, 'x-hmac': signature };
  await (await fetch(url + PATH, { method: 'POST', headers, body })).arrayBuffer();
}
