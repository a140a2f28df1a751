// The judges of `npm run abuse` are not blind: each notices a server with the fault that it is there for.
import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, test } from 'node:test';
import { attack, type Fault } from '@sealpost/dev-env/abuse/attack';
import type { Cast } from '@sealpost/dev-env/abuse/cast';
import type { ProcessFacts } from '@sealpost/dev-env/abuse/process-facts';
import { faultsOfProcess } from '@sealpost/dev-env/abuse/process-judge';
import { abusiveRequests } from '@sealpost/dev-env/abuse/requests';
import { seed } from '@sealpost/dev-env/chance';

const SENT = 400;
/** Milliseconds after which a server is silent: usually never, and soon in the test of a silent one. */
const NEVER_MS = 100_000;
const SOON_MS = 1_500;

const cast: Cast = {
  callers: [
    {
      mid: `u${'3'.repeat(32)}`,
      token: 'token',
      channelToken: 'channel',
      refreshToken: 'refresh',
      sample: { friend: `u${'1'.repeat(32)}`, chat: `c${'2'.repeat(32)}`, message: '1784130791636992' },
      fileMessage: '1784130791636993',
    },
  ],
  adminToken: 'admin',
  administratorCookie: 'sealpost_admin=x',
  expendable: 'somebody',
};

let server: Server | undefined;
const open = new Set<Socket>();
afterEach(() => {
  server?.close();
  for (const socket of open) socket.destroy();
  open.clear();
});

const answer = (status: number, body = '{}'): string =>
  `HTTP/1.1 ${status} X\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;

/**
 * Attacks a server that is no more than what it writes on each connection, which has one request.
 * @param onRequest called with the number of the connection, and with what it brought
 */
async function faultsOf(
  onRequest: (socket: Socket, connection: number) => void,
  silenceMs = NEVER_MS,
): Promise<Fault[]> {
  let connections = 0;
  server = createServer((socket) => {
    open.add(socket);
    connections += 1;
    const connection = connections;
    socket.on('error', () => {});
    socket.once('data', () => onRequest(socket, connection));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const url = `http://127.0.0.1:${address.port}`;
  const requests = abusiveRequests(seed, cast);
  const limits = { from: 0, to: SENT, connections: 8, silenceMs };
  return attack({ url, requests, ...limits, onAnswer: () => {} });
}

const refuse = (socket: Socket): void => void socket.end(answer(400));
const problemsOf = (faults: readonly Fault[]): string[] => faults.map(({ problem }) => problem);

test('a server that refuses everything has no fault', async () => {
  assert.deepEqual(problemsOf(await faultsOf(refuse)), []);
});

/** Ways to be faulty on one connection, and what is told about each. */
const planted: Readonly<Record<string, readonly [(socket: Socket) => void, RegExp]>> = {
  'answers 500 once': [(socket) => socket.end(answer(500, 'oops')), /^HTTP 500: oops/],
  'answers once with a stack': [
    (socket) => socket.end(answer(400, 'Error: x\\n    at f (node:internal/x)')),
    /^HTTP 400 with a stack/,
  ],
  'never answers once, and keeps the connection': [() => {}, /neither answered nor closed/],
  'closes once without an answer': [(socket) => socket.destroy(), /closed the connection without an answer/],
  'answers once with what is not HTTP': [(socket) => socket.end('500 oops\r\n\r\n'), /not HTTP/],
};

for (const [what, [harm, told]] of Object.entries(planted)) {
  test(`a server that ${what} is noticed, with the number of the request`, async () => {
    // The first request that must be answered tells. A fault at one that may stay without an answer is none.
    const sent = Array.from({ length: SENT }, (_, n) => abusiveRequests(seed, cast)(n));
    assert.ok(sent.some(({ outcome, waits }) => outcome === 'answers' && !waits));
    let harmed = 0;
    const faults = await faultsOf(
      (socket, connection) => {
        if (connection < SENT / 2 || harmed >= 8) refuse(socket);
        else {
          harmed += 1;
          harm(socket);
        }
      },
      what.startsWith('never') ? SOON_MS : NEVER_MS,
    );
    assert.ok(faults.length > 0);
    for (const { problem, number, request } of faults) {
      assert.match(problem, told);
      assert.equal(request?.number, number);
      assert.deepEqual(request?.bytes, number === undefined ? undefined : abusiveRequests(seed, cast)(number).bytes);
    }
  });
}

test('a server that does not check signatures is noticed', async () => {
  const faults = await faultsOf((socket) => void socket.end(answer(200)));
  assert.ok(faults.length > 0);
  for (const { problem } of faults) assert.equal(problem, 'HTTP 200 without a valid signature');
});

test('seed and number decide a request, and other numbers give others', () => {
  const [one, two] = [abusiveRequests(seed, cast), abusiveRequests(seed, cast)];
  for (let n = 0; n < SENT; n++) assert.deepEqual(one(n), two(n));
  const different = new Set(Array.from({ length: SENT }, (_, n) => one(n).bytes.toString('latin1')));
  assert.ok(different.size > SENT / 2, `${different.size} different requests`);
});

test('of a process, its end, errors in its log, and growing memory are noticed', () => {
  const facts = (mib: number): ProcessFacts => ({ residentBytes: mib * 2 ** 20, descriptors: 40, cpuSeconds: 1 });
  const sound = { warm: facts(300), end: facts(350), output: '{"level":30,"msg":"hello"}\n', ended: undefined };
  assert.deepEqual(faultsOfProcess(sound), []);
  const noticed = (change: Partial<Parameters<typeof faultsOfProcess>[0]>) => faultsOfProcess({ ...sound, ...change });
  assert.match(noticed({ ended: '1' }).join(), /ended with 1/);
  assert.match(noticed({ output: '{"level":50,"msg":"a request failed"}\n' }).join(), /a request failed/);
  assert.match(noticed({ output: '(node:1) UnhandledPromiseRejectionWarning: x\n' }).join(), /Unhandled/);
  assert.match(noticed({ end: facts(800) }).join(), /grew by 500 MiB/);
});
