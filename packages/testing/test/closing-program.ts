// A program that close.test.ts runs in a process of its own. Its clients close their streams when the server ends the
// first one, so that nothing but the server has work left.
import { createRawClient, openStream } from '@sealpost/conformance/testing';
import { startTestServer } from '@sealpost/testing';

const STREAMS = 5;
const path = '/api/operation/receive?localRev=0';
const server = await startTestServer({ clock: 'real', accounts: ['alice'] });
const raw = createRawClient({ url: server.url });
const streams = await Promise.all(Array.from({ length: STREAMS }, opened));
raw.close();
void streams[0]?.event('reconnect').then(() => {
  for (const stream of streams) stream.close();
});
await server.close();
console.log('closed');

async function opened() {
  const { accessToken } = await server.login('alice');
  const signature = raw.signatureOf(path, '', accessToken);
  const headers = { 'X-Svc-Access': accessToken, 'X-Svc-Chrome-Version': '3.7.2', 'X-Hmac': signature };
  const stream = await openStream(server.url, path, headers);
  await stream.event('connInfoRevision');
  return stream;
}
