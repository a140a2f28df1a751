// Derives the symmetric keys of Letter Sealing. Each is a hash of a shared secret, a salt, and a label.
import { type Bytes, concat, wipe, xor16 } from '../bytes.ts';
import { sha256 } from '../web-crypto.ts';

const labels = { key: new TextEncoder().encode('Key'), iv: new TextEncoder().encode('IV') };
const NO_SALT = new Uint8Array();

/** Returns SHA256(S, salt, "Key"), where S is the shared secret: 32 bytes. The caller wipes them after use. */
export const deriveKey = (secret: Uint8Array, salt: Uint8Array = NO_SALT): Promise<Bytes> =>
  hashOf(secret, salt, labels.key);

/** Returns SHA256(S, salt, "IV"), where S is the shared secret, folded to 16 bytes. */
export const deriveIv = async (secret: Uint8Array, salt: Uint8Array = NO_SALT): Promise<Bytes> =>
  xor16(await hashOf(secret, salt, labels.iv));

async function hashOf(secret: Uint8Array, salt: Uint8Array, label: Uint8Array): Promise<Bytes> {
  const input = concat(secret, salt, label);
  try {
    return await sha256(input);
  } finally {
    wipe(input);
  }
}
