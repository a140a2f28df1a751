// Backups of an account's key chain, for the case that all devices of the account are lost.
import { type Bytes, wipe } from '../bytes.ts';
import { decodeKeyChain, encodeKeyChain, type KeyChainEntry } from '../key-chain.ts';
import { OpenError } from '../open-error.ts';
import { openWithPassphrase, sealWithPassphrase } from './passphrase.ts';

/**
 * Seals a key chain under a passphrase. The result may be kept anywhere, even on a server: it is as safe as the
 * passphrase.
 */
export async function sealKeyChainBackup(
  entries: readonly KeyChainEntry[],
  passphrase: string,
  options?: Parameters<typeof sealWithPassphrase>[2],
): Promise<Bytes> {
  const chain = encodeKeyChain(entries);
  try {
    return await sealWithPassphrase(chain, passphrase, options);
  } finally {
    wipe(chain);
  }
}

/**
 * Opens a backup. Throws OpenError if this fails. The reason is `payload` if the bytes are authentic but do not hold a
 * key chain.
 */
export async function openKeyChainBackup(sealed: Uint8Array, passphrase: string): Promise<KeyChainEntry[]> {
  const chain = await openWithPassphrase(sealed, passphrase);
  try {
    return decodeKeyChain(chain);
  } catch {
    throw new OpenError('payload', 'what was sealed with the passphrase is not a key chain');
  } finally {
    wipe(chain);
  }
}
