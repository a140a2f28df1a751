// Seals bytes under a passphrase: argon2id derives a key, and AES-256-GCM seals with it. A header before the sealed
// bytes holds everything that opening needs besides the passphrase. docs/letter-sealing.md has the layout.
import { decryptGcm, encryptGcm } from '../aes.ts';
import { type Bytes, concat, equal, type RandomBytes, randomBytes, readUint32, uint32, wipe } from '../bytes.ts';
import { OpenError } from '../open-error.ts';

/** The work of deriving the key once. An attacker must do this work for each guess at the passphrase. */
export interface PassphraseCost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
}

/** The standard cost, which is the second recommended option of RFC 9106: 64 MiB, one to two seconds in a browser. */
const STANDARD: PassphraseCost = { memoryKiB: 64 * 1024, passes: 3, lanes: 4 };
/**
 * The highest cost that opening accepts. The header names the cost, so somebody who stores the bytes could otherwise
 * demand endless work.
 */
const HIGHEST: PassphraseCost = { memoryKiB: 256 * 1024, passes: 10, lanes: 16 };

const MAGIC = new TextEncoder().encode('SPKB');
const VERSION = 1;
const SALT = 16;
const NONCE = 12;
const TAG = 16;
const HEADER = MAGIC.length + 1 + 4 + 1 + 1 + SALT + NONCE;

/**
 * Seals any bytes, such as a stored key store or a backup. Somebody who has the sealed bytes can try passphrases as
 * fast as the cost allows. So only a passphrase that nobody can guess is safe. The work runs on the caller's thread, in
 * portions between which other work can run.
 * @param options.random source of random bytes; given only to reproduce test vectors
 */
export async function sealWithPassphrase(
  plain: Bytes,
  passphrase: string,
  { cost = STANDARD, random = randomBytes }: { cost?: PassphraseCost; random?: RandomBytes } = {},
): Promise<Bytes> {
  if (passphrase === '') throw new RangeError('the passphrase is empty');
  if (!isPayable(cost)) throw new RangeError('argon2id cannot work at this cost, or it is too high to be opened again');
  const [salt, nonce] = [random(SALT), random(NONCE)];
  const header = concat(
    MAGIC,
    Uint8Array.of(VERSION),
    uint32(cost.memoryKiB),
    Uint8Array.of(cost.passes, cost.lanes),
    salt,
    nonce,
  );
  const key = await keyOf(passphrase, salt, cost);
  try {
    return concat(header, await encryptGcm(key, nonce, header, plain));
  } finally {
    wipe(key);
  }
}

/**
 * Opens sealed bytes. Throws OpenError: `tampered` means a wrong passphrase or a changed byte; the two cannot be told
 * apart.
 */
export async function openWithPassphrase(sealed: Uint8Array, passphrase: string): Promise<Bytes> {
  const { header, cost, salt, nonce, cipher } = read(sealed);
  const key = await keyOf(passphrase, salt, cost);
  try {
    return await decryptGcm(key, nonce, header, cipher);
  } catch {
    throw new OpenError('tampered', 'the passphrase is wrong, or the bytes were changed');
  } finally {
    wipe(key);
  }
}

function read(sealed: Uint8Array): { header: Bytes; cost: PassphraseCost; salt: Bytes; nonce: Bytes; cipher: Bytes } {
  if (sealed.length < HEADER + TAG || !equal(sealed.subarray(0, MAGIC.length), MAGIC))
    throw new OpenError('malformed', 'these bytes were not sealed with a passphrase');
  const header = Uint8Array.from(sealed.subarray(0, HEADER));
  const [version, passes = 0, lanes = 0] = [header[4], header[9], header[10]];
  if (version !== VERSION) throw new OpenError('version', `version ${version} of sealing with a passphrase is unknown`);
  const cost = { memoryKiB: readUint32(header, 5), passes, lanes };
  if (!isPayable(cost)) throw new OpenError('malformed', 'the bytes ask for a cost that no passphrase was sealed at');
  const [salt, nonce] = [header.slice(11, 11 + SALT), header.slice(11 + SALT)];
  return { header, cost, salt, nonce, cipher: Uint8Array.from(sealed.subarray(HEADER)) };
}

const isPayable = ({ memoryKiB, passes, lanes }: PassphraseCost): boolean =>
  [memoryKiB, passes, lanes].every(Number.isInteger) &&
  lanes >= 1 &&
  lanes <= HIGHEST.lanes &&
  passes >= 1 &&
  passes <= HIGHEST.passes &&
  memoryKiB >= 8 * lanes &&
  memoryKiB <= HIGHEST.memoryKiB;

async function keyOf(passphrase: string, salt: Bytes, { memoryKiB, passes, lanes }: PassphraseCost): Promise<Bytes> {
  // Different keyboards may give different code points for the same passphrase, so it is normalized.
  const typed = new TextEncoder().encode(passphrase.normalize('NFKC'));
  // The library is loaded at the first use, because most programs never seal under a passphrase.
  const { argon2idAsync } = await import('@noble/hashes/argon2.js');
  const key = await argon2idAsync(typed, salt, { m: memoryKiB, t: passes, p: lanes, dkLen: 32 });
  wipe(typed);
  return new Uint8Array(key);
}
