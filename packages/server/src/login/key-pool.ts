// RSA keys for credentials: each pair serves one login and lives ten minutes. Making one costs tens of milliseconds, so
// a few are made ahead.
import type { KeyObject } from 'node:crypto';
import { ApiError } from '@sealpost/contract';
import type { RSAKeyInfo } from '@sealpost/contract/schemas';
import type { Clock, Random } from '../kernel/ports.ts';
import { SLOW_THREADS, slowly } from '../kernel/slow-crypto.ts';
import { type Credential, parseCredential } from './credential.ts';

const BITS = 2048;
const HEX_LENGTH = BITS / 4;
const LIFE_MS = 600_000;
const READY = 4;
/** The other threads are left to passwords. */
const GENERATING = SLOW_THREADS - 1;
const WAITING = 128;
const OPENING = 256;
const HANDED_OUT = 10_000;
const SESSION_KEY_BYTES = 8;
const KEY_NAME_BYTES = 6;

interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

interface HandedOut {
  readonly privateKey: KeyObject;
  readonly sessionKey: string;
  readonly expires: number;
}

export interface KeyPool {
  /** Hands out a key. */
  take(): Promise<RSAKeyInfo>;
  /** Uses a key up, unless there are too many at once. Undefined for everything that is wrong, after the same work. */
  open(keyName: string, cipherHex: string): Promise<Credential | undefined>;
}

const HEX = /^[0-9a-f]+$/i;

export function createKeyPool(clock: Clock, random: Random): KeyPool {
  const ready: KeyPair[] = [];
  const waiting: ((pair: KeyPair | Error) => void)[] = [];
  /** In the order of handing out, which is the order of expiry. */
  const handedOut = new Map<string, HandedOut>();
  let generating = 0;
  let opening = 0;
  let decoy: Promise<KeyPair> | undefined;

  function fill(): void {
    while (generating < GENERATING && ready.length + generating < READY + waiting.length) {
      generating += 1;
      void newPair()
        .then(deliver, (error: Error) => waiting.shift()?.(error))
        .finally(() => {
          generating -= 1;
          fill();
        });
    }
  }

  function deliver(pair: KeyPair): void {
    const next = waiting.shift();
    if (next) next(pair);
    else ready.push(pair);
  }

  function takePair(): Promise<KeyPair> {
    const pair = ready.shift();
    if (!pair && waiting.length >= WAITING) throw new ApiError('SERVER_BUSY', 'too many login keys are being made');
    const taken = pair
      ? Promise.resolve(pair)
      : new Promise<KeyPair>((resolve, reject) =>
          waiting.push((made) => (made instanceof Error ? reject(made) : resolve(made))),
        );
    fill();
    return taken;
  }

  function forgetOld(): void {
    for (const [name, key] of handedOut) {
      if (key.expires > clock.monotonic() && handedOut.size < HANDED_OUT) return;
      handedOut.delete(name);
    }
  }

  function use(keyName: string): HandedOut | undefined {
    const key = handedOut.get(keyName);
    handedOut.delete(keyName);
    return key && key.expires > clock.monotonic() ? key : undefined;
  }

  return {
    async take() {
      const { publicKey, privateKey } = await takePair();
      forgetOld();
      const sessionKey = random.bytes(SESSION_KEY_BYTES).toString('hex');
      const keynm = String(random.bytes(KEY_NAME_BYTES).readUIntBE(0, KEY_NAME_BYTES));
      handedOut.set(keynm, { privateKey, sessionKey, expires: clock.monotonic() + LIFE_MS });
      const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
      return { keynm, nvalue: hexOf(n), evalue: hexOf(e).replace(/^0+/, ''), sessionKey };
    },
    async open(keyName, cipherHex) {
      if (opening >= OPENING) throw new ApiError('SERVER_BUSY', 'too many credentials are being opened');
      const key = use(keyName);
      decoy ??= newPair();
      const privateKey = key?.privateKey ?? (await decoy).privateKey;
      const wellFormed = cipherHex.length === HEX_LENGTH && HEX.test(cipherHex);
      const cipher = wellFormed ? Buffer.from(cipherHex, 'hex') : Buffer.alloc(HEX_LENGTH / 2, 1);
      opening += 1;
      const plain = await slowly('decryptRsa', privateKey, cipher).finally(() => {
        opening -= 1;
      });
      const credential = plain && parseCredential(Buffer.from(plain), key?.sessionKey ?? '');
      return key && wellFormed ? credential : undefined;
    },
  };
}

const newPair = (): Promise<KeyPair> => slowly('makeRsaPair', BITS);
const hexOf = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');
