// `node bench/login-timing.ts [--samples n] [--kinds 'unknown user,bad padding']`: tests whether the time of an answer
// tells one kind of bad credential from another. Each round makes one login with every kind of credential, one after
// the other and in random order. Each login has its own source address, and a connection that is already open.
// Mann-Whitney's test compares the times of every kind with the times of a wrong password.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { clientVersion, type MethodName, pathOf, plainHeaders } from '@sealpost/contract';
import { prepareKey, sign } from '@sealpost/crypto/node';
import { encryptCredential, type RsaKey } from '@sealpost/sdk/credential';
import { credentialOf, dataFolder, disableUser, type Gateway, makeUsers, startGateway } from './gateway.ts';
import { markdown } from './markdown.ts';
import { BUILD_TOKEN } from './request.ts';
import { mannWhitney, median } from './statistics.ts';

const { values: options } = parseArgs({
  options: { samples: { type: 'string', default: '300' }, kinds: { type: 'string' } },
});
const samples = Number(options.samples);
/** Maximum number of tries with one account. More tries would lock the account for a while. */
const TRIES_PER_ACCOUNT = 8;
const KEYS_AT_ONCE = 32;
const LIKELY_CHANCE = 0.01;
const RSA_BYTES = 256;

type Key = RsaKey & { readonly keynm: string };
interface Device {
  readonly agent: Agent;
  readonly key: Key;
}
/** Returns the identifier and password for a loginV2 call. `n` is the number of the sample, counted for each kind. */
type Credential = (key: Key, n: number) => { identifier: string; password: string };

const accounts = Math.ceil(samples / TRIES_PER_ACCOUNT);
const text = (bytes: number): string => randomBytes(bytes).toString('hex');
const named =
  (identifierOf: (n: number) => string): Credential =>
  (key, n) => ({ identifier: key.keynm, password: encryptCredential(key, identifierOf(n), text(8)) });
const cipher =
  (password: (key: Key) => string): Credential =>
  (key) => ({ identifier: key.keynm, password: password(key) });
const accountOf = (n: number): string => credentialOf(Math.floor(n / TRIES_PER_ACCOUNT)).identifier;
const disabledOf = (n: number): string => credentialOf(accounts + Math.floor(n / TRIES_PER_ACCOUNT)).identifier;

const REFERENCE = 'wrong password';
const kinds: Readonly<Record<string, Credential>> = {
  [REFERENCE]: named(accountOf),
  'wrong password, disabled account': named(disabledOf),
  'unknown user': named(() => `user${text(4)}`),
  'unknown key': (key) => ({
    identifier: String(randomBytes(4).readUInt32BE()),
    password: encryptCredential(key, text(4), text(8)),
  }),
  'bad padding': cipher(() => `01${text(RSA_BYTES - 1)}`),
  'above the modulus': cipher(() => 'f'.repeat(RSA_BYTES * 2)),
  'other session key': cipher((key) => encryptCredential({ ...key, sessionKey: text(20) }, '', '')),
  'not hexadecimal': cipher(() => 'zz'),
};

const chosen = options.kinds ? [REFERENCE, ...options.kinds.split(',')] : Object.keys(kinds);

const signing = prepareKey(BUILD_TOKEN, clientVersion, '');

function post(gateway: Gateway, agent: Agent, method: MethodName, args: readonly unknown[]): Promise<string> {
  const body = JSON.stringify(args);
  const path = pathOf(method);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    [plainHeaders.hmac.name]: sign(signing, path, Buffer.from(body)),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: gateway.port, method: 'POST', path, agent, headers },
      (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          answer += part;
        });
        response.on('end', () => resolve(answer));
      },
    );
    sent.on('error', reject).end(body);
  });
}

let devices = 0;

/** Creates a device with its own source address, connection and key. */
async function newDevice(gateway: Gateway): Promise<Device> {
  devices += 1;
  const localAddress = `127.${1 + (devices >> 16)}.${(devices >> 8) & 255}.${devices & 255}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  const { data } = JSON.parse(await post(gateway, agent, 'TalkService.getRSAKeyInfo', [1])) as { data: Key };
  return { agent, key: data };
}

async function timed(gateway: Gateway, { agent, key }: Device, kind: string, n: number): Promise<number> {
  const credential = (kinds[kind] as Credential)(key, n);
  const begun = performance.now();
  const answer = await post(gateway, agent, 'AuthService.loginV2', [{ type: 0, systemName: 'Chrome', ...credential }]);
  const took = performance.now() - begun;
  agent.destroy();
  expected ??= answer;
  if (answer !== expected) throw new Error(`${kind} was answered ${answer}, not ${expected}`);
  return took;
}
let expected: string | undefined;

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [randomBytes(4).readUInt32BE(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

async function measure(gateway: Gateway): Promise<Map<string, number[]>> {
  const times = new Map(chosen.map((kind) => [kind, [] as number[]]));
  const plan = Array.from({ length: samples }, (_, n) => shuffled(chosen).map((kind) => ({ kind, n }))).flat();
  for (let at = 0; at < plan.length; at += KEYS_AT_ONCE) {
    const batch: { kind: string; n: number; device: Device }[] = [];
    for (const planned of plan.slice(at, at + KEYS_AT_ONCE))
      batch.push({ ...planned, device: await newDevice(gateway) });
    // During this second, the server generates the keys for the next logins in advance.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const { kind, n, device } of batch) times.get(kind)?.push(await timed(gateway, device, kind, n));
    process.stderr.write(`\r${Math.min(plan.length, at + KEYS_AT_ONCE)} of ${plan.length} logins`);
  }
  process.stderr.write('\n');
  return times;
}

function report(times: ReadonlyMap<string, number[]>): string {
  const reference = times.get(REFERENCE) as number[];
  const rows = [...times].map(([kind, of]) => {
    const difference = (median(of) - median(reference)).toFixed(2);
    const p = mannWhitney(of, reference);
    const verdict = p > LIKELY_CHANCE ? 'not told apart' : '**told apart**';
    return [kind, median(of).toFixed(2), difference, ...(kind === REFERENCE ? ['–', '–'] : [p.toFixed(3), verdict])];
  });
  return markdown(['bad credential', 'median ms', 'difference ms', 'p', `at p ≤ ${LIKELY_CHANCE}`], rows);
}

const folder = dataFolder();
const gateway = await startGateway(folder);
try {
  process.stderr.write(`making ${2 * accounts} accounts\n`);
  await makeUsers(gateway, 2 * accounts);
  for (let n = accounts; n < 2 * accounts; n++) await disableUser(gateway, credentialOf(n).identifier);
  process.stdout.write(`${report(await measure(gateway))}\n\n${samples} samples of each, all answered ${expected}\n`);
} finally {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
}
