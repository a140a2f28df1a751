// The recorder passes everything on as it comes, and keeps it.
import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startServer } from '@sealpost/dev-env/harness';
import { until } from '@sealpost/dev-env/until';
import { createRpcClient, systemPorts } from '@sealpost/sdk';
import { type Recorder, readSession, startRecorder, writeSession } from '@sealpost/testing/record';
import { startFakeGateway } from './fake-gateway.ts';

const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

async function recorderOf(target: string, bodyLimit?: number): Promise<Recorder> {
  const recorder = await startRecorder({ target, ports: systemPorts, ...(bodyLimit !== undefined && { bodyLimit }) });
  ends.push(() => recorder.close());
  return recorder;
}

async function gateway(...args: Parameters<typeof startFakeGateway>): Promise<string> {
  const fake = await startFakeGateway(...args);
  ends.push(() => fake.close());
  return fake.url;
}

test('a client works through the recorder: its signatures stay right, and its stream is not held back', async () => {
  const server = await startServer();
  ends.push(() => server.close());
  const alice = await server.user('alice');
  const bob = await server.user('bob');
  const recorder = await recorderOf(server.url);
  const through = createRpcClient({
    url: recorder.url,
    ...(alice.client.session && { session: alice.client.session }),
  });
  ends.push(() => through.close());

  const heard: string[] = [];
  const stop = new AbortController();
  const listening = (async () => {
    for await (const event of through.operations({ signal: stop.signal })) {
      if (event.kind === 'operation' && event.operation.message?.text) heard.push(event.operation.message.text);
    }
  })();
  await through.TalkService.sendMessage(5, { to: bob.mid, contentType: 0, text: 'through the recorder' });
  // The stream is still open, so this is no answer that was kept until its end.
  await until(() => heard.length > 0, 'the operation came through the recorder');
  stop.abort();
  await listening;
  assert.deepEqual(heard, ['through the recorder']);

  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end !== 'open'), 'both calls ended');
  const { exchanges } = readSession(writeSession(recorder.session()));
  const sent = exchanges.find(({ endpoint }) => endpoint === 'TalkService.sendMessage');
  assert.deepEqual([sent?.answer?.status, sent?.answer?.end], [200, 'complete']);
  assert.match(sent?.body.content ?? '', /through the recorder/);
  const stream = exchanges.find(({ endpoint }) => endpoint === 'operationReceive');
  assert.equal(stream?.answer?.end, 'left');
  assert.ok(stream?.answer?.events?.some(({ text }) => text.includes('through the recorder') && text.endsWith('\n\n')));
});

test('the gateway gets the same bytes: path, headers in their order and spelling, and the body', async () => {
  let received = '';
  const target = createServer((socket) => {
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (received.endsWith('body!')) socket.end('HTTP/1.1 200 OK\r\nX-Odd-NAME: 1\r\nContent-Length: 2\r\n\r\n{}');
    });
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  ends.push(() => target.close());
  const { port } = target.address() as AddressInfo;
  const recorder = await recorderOf(`http://127.0.0.1:${port}`);
  const head =
    'POST /api//x/../y?b=%2f&a=[1]&a HTTP/1.1\r\nHOST: h\r\nx-HMAC: s\r\nX-Two: 1\r\nX-Two: 2\r\nContent-Length: 5\r\n\r\n';
  const socket = connect(Number(new URL(recorder.url).port), '127.0.0.1', () => socket.write(`${head}body!`));
  let answered = '';
  socket.on('data', (bytes) => (answered += bytes.toString()));
  await until(() => answered.endsWith('{}'), 'the answer came');
  socket.destroy();
  const expected = head
    .replace('HOST: h', `Host: 127.0.0.1:${port}`)
    .replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
  assert.equal(received, `${expected}body!`);
  assert.match(answered, /^HTTP\/1.1 200 OK\r\nX-Odd-NAME: 1\r\n/);
});

test('pieces of bodies pass on at once, in both directions', async () => {
  const url = await gateway((request, response) => {
    response.writeHead(200);
    request.on('data', (piece) => response.write(`got ${piece} `));
    request.on('end', () => response.end('end'));
  });
  const recorder = await recorderOf(url);
  const pieces = new TransformStream<string, string>();
  const writer = pieces.writable.getWriter();
  const body = pieces.readable.pipeThrough(new TextEncoderStream());
  // The types of browsers do not know this option, which Node wants for a body that comes piece by piece.
  const streaming: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  const asked = fetch(`${recorder.url}/x`, streaming);
  await writer.write('one');
  const reader = (await asked).body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader?.read())?.value, 'got one ');
  await writer.write('two');
  assert.equal((await reader?.read())?.value, 'got two ');
  await writer.close();
  assert.equal((await reader?.read())?.value, 'end');
  await until(() => recorder.session().exchanges[0]?.answer?.end === 'complete', 'the exchange ended');
  const [exchange] = recorder.session().exchanges;
  assert.deepEqual([exchange?.body.content, exchange?.answer?.body?.content], ['onetwo', 'got one got two end']);
});

test('a compressed answer reaches the client as it is, and is kept decompressed', async () => {
  const url = await gateway((_request, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"data":"plain"}'));
  });
  const recorder = await recorderOf(url);
  const response = await fetch(recorder.url);
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.equal(await response.text(), '{"data":"plain"}');
  await until(() => recorder.session().exchanges[0]?.answer?.end === 'complete', 'the exchange ended');
  const answer = recorder.session().exchanges[0]?.answer;
  assert.equal(answer?.body?.content, '{"data":"plain"}');
  assert.ok(!answer?.headers.some(([name]) => name?.toLowerCase() === 'content-encoding'));
});

test('bytes, large bodies, and encodings that nobody can read', async () => {
  const url = await gateway((request, response) => {
    if (request.url === '/strange') response.setHeader('Content-Encoding', 'strange');
    response.end(request.url === '/large' ? 'x'.repeat(101) : Buffer.from([0xff, 0x00]));
  });
  const recorder = await recorderOf(url, 100);
  for (const path of ['/bytes', '/large', '/strange']) await (await fetch(recorder.url + path)).arrayBuffer();
  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end === 'complete'), 'all ended');
  const bodies = recorder.session().exchanges.map(({ answer }) => answer?.body);
  assert.deepEqual(bodies, [
    { form: 'base64', content: '/wA=', bytes: 2 },
    { form: 'omitted', content: '', bytes: 101 },
    { form: 'omitted', content: '', bytes: 0 },
  ]);
});

test('how an exchange ended: the gateway cut it, the client left, nobody answered, the recording ended', async () => {
  const open = await gateway((request, response) => {
    response.write('half');
    if (request.url === '/cut') setImmediate(() => response.destroy());
  });
  const recorder = await recorderOf(open);
  await assert.rejects(async () => (await fetch(`${recorder.url}/cut`)).text());
  const leaving = new AbortController();
  const left = await fetch(`${recorder.url}/left`, { signal: leaving.signal });
  const leftReader = left.body?.getReader();
  await leftReader?.read();
  leaving.abort();
  await assert.rejects(async () => leftReader?.read());
  await until(() => recorder.session().exchanges.every(({ answer }) => answer?.end !== 'open'), 'both ended');
  const kept = await fetch(`${recorder.url}/open`);
  const keptReader = kept.body?.getReader();
  await keptReader?.read();
  const closed = assert.rejects(async () => keptReader?.read());
  await recorder.close();
  await closed;
  const found = recorder.session().exchanges.map(({ path, answer }) => [path, answer?.end, answer?.body?.content]);
  assert.deepEqual(found, [
    ['/cut', 'cut', 'half'],
    ['/left', 'left', 'half'],
    ['/open', 'open', 'half'],
  ]);

  const nobody = await recorderOf('http://127.0.0.1:1');
  const response = await fetch(nobody.url);
  assert.deepEqual([response.status, /does not answer/.test(await response.text())], [502, true]);
  assert.match(nobody.session().exchanges[0]?.failure ?? '', /ECONNREFUSED|bad port/);
});
