// The key chain of an account, for the day on which all of its devices are lost.
import { type Bytes, wipe } from '../bytes.ts';
import { decodeKeyChain, encodeKeyChain, type KeyChainEntry } from '../key-chain.ts';
import { OpenError } from '../open-error.ts';
import { openWithPassphrase, sealWithPassphrase } from './passphrase.ts';

/** To be kept anywhere, even on a server: it is worth as much as the passphrase. */
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

/** Throws OpenError: `payload` if the bytes are authentic and hold something else than a key chain. */
export async function openKeyChainBackup(sealed: Uint8Array, passphrase: string): Promise<KeyChainEntry[]> {
  const chain = await openWithPassphrase(sealed, passphrase);
  try {
    return decodeKeyChain(chain);
  } catch {
    throw new OpenError('payload', 'what was sealed with the passphrase is no key chain');
  } finally {
    wipe(chain);
  }
}
