// The times of logins with wrong credentials of all kinds, beside a wrong password. Each round makes one login with every
// kind of credential, one after the other and in random order. Each login has its own source address, and a connection
// that is already open.
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { clientVersion, type MethodName, pathOf, plainHeaders } from '@sealpost/contract';
import { prepareKey, sign } from '@sealpost/crypto/node';
import { encryptCredential, type RsaKey } from '@sealpost/sdk/credential';
import { credentialOf, disableUser, type Gateway, makeUsers } from '../gateway.ts';
import { BUILD_TOKEN } from '../request.ts';
import { type Comparison, shuffled } from './compare.ts';

/** Maximum number of tries with one account. More tries would lock the account for a while. */
const TRIES_PER_ACCOUNT = 8;
const KEYS_AT_ONCE = 32;
const RSA_BYTES = 256;

type Key = RsaKey & { readonly keynm: string };
interface Device {
  readonly agent: Agent;
  readonly key: Key;
}
/** Returns the identifier and password for a loginV2 call. `n` is the number of the sample, counted for each kind. */
type Credential = (key: Key, n: number) => { identifier: string; password: string };

const text = (bytes: number): string => randomBytes(bytes).toString('hex');
const named =
  (identifierOf: (n: number) => string): Credential =>
  (key, n) => ({ identifier: key.keynm, password: encryptCredential(key, identifierOf(n), text(8)) });
const cipher =
  (password: (key: Key) => string): Credential =>
  (key) => ({ identifier: key.keynm, password: password(key) });
const accountOf = (n: number): string => credentialOf(Math.floor(n / TRIES_PER_ACCOUNT)).identifier;
const disabledOf =
  (accounts: number) =>
  (n: number): string =>
    accountOf(n + accounts * TRIES_PER_ACCOUNT);

const REFERENCE = 'wrong password';
/** @param accounts the number of accounts; as many others are disabled */
const kindsOf = (accounts: number): Readonly<Record<string, Credential>> => ({
  [REFERENCE]: named(accountOf),
  'wrong password, disabled account': named(disabledOf(accounts)),
  'unknown user': named(() => `user${text(4)}`),
  'unknown key': (key) => ({
    identifier: String(randomBytes(4).readUInt32BE()),
    password: encryptCredential(key, text(4), text(8)),
  }),
  'bad padding': cipher(() => `01${text(RSA_BYTES - 1)}`),
  'above the modulus': cipher(() => 'f'.repeat(RSA_BYTES * 2)),
  'other session key': cipher((key) => encryptCredential({ ...key, sessionKey: text(20) }, '', '')),
  'not hexadecimal': cipher(() => 'zz'),
});

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

/** Returns the answer of a login, and the milliseconds that it took. */
async function timed(gateway: Gateway, { agent }: Device, credential: ReturnType<Credential>) {
  const begun = performance.now();
  const answer = await post(gateway, agent, 'AuthService.loginV2', [{ type: 0, systemName: 'Chrome', ...credential }]);
  const ms = performance.now() - begun;
  agent.destroy();
  return { answer, ms };
}

/** @param say called with the progress */
export async function measureLogins(
  gateway: Gateway,
  samples: number,
  say: (text: string) => void,
): Promise<Comparison[]> {
  const accounts = Math.ceil(samples / TRIES_PER_ACCOUNT);
  say(`making ${2 * accounts} accounts`);
  await makeUsers(gateway, 2 * accounts);
  for (let n = accounts; n < 2 * accounts; n++) await disableUser(gateway, credentialOf(n).identifier);
  const kinds = kindsOf(accounts);
  const times = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  const answers = new Set<string>();
  const plan = Array.from({ length: samples }, (_, n) =>
    shuffled(Object.entries(kinds)).map((kind) => [n, kind] as const),
  );
  const all = plan.flat();
  for (let at = 0; at < all.length; at += KEYS_AT_ONCE) {
    const batch: { kind: string; device: Device; credential: ReturnType<Credential> }[] = [];
    for (const [n, [kind, credentialWith]] of all.slice(at, at + KEYS_AT_ONCE)) {
      const device = await newDevice(gateway);
      batch.push({ kind, device, credential: credentialWith(device.key, n) });
    }
    // During this second, the server generates the keys for the next logins in advance.
    await pause(1000);
    for (const { kind, device, credential } of batch) {
      const { answer, ms } = await timed(gateway, device, credential);
      answers.add(answer);
      times.get(kind)?.push(ms);
    }
    if (at % (KEYS_AT_ONCE * 20) === 0) say(`${at} of ${all.length} logins`);
  }
  if (answers.size > 1) throw new Error(`logins were answered in several ways: ${[...answers].join(' and ')}`);
  const beside = times.get(REFERENCE) as number[];
  return [...times].flatMap(([name, of]) => (name === REFERENCE ? [] : [{ name, times: of, beside }]));
}
