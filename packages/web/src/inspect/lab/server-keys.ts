// Fetches keys from the server of this page: public keys by id, and the backups of development accounts.
import { fromBase64, type KeyChainEntry, openKeyChainBackup } from '@sealpost/crypto';
import { Refused } from '../feed/dev-api.ts';
import { callAs } from '../feed/rpc.ts';
import { useInspector } from '../feed/store.ts';
import type { KnownKey } from './lab-keys.ts';
import { isFields, isGroup, type LabMessage } from './sealed-message.ts';

const KEY_VERSION = 1;

function nameOf(mid: string): string {
  const { accounts } = useInspector.getState();
  return accounts.find((account) => account.mid === mid)?.userid ?? mid;
}

/** Returns a text field of an answer. */
function textIn(value: unknown, name: string): string {
  const field: unknown = isFields(value) ? value[name] : undefined;
  if (typeof field !== 'string') throw new Refused(`the server answered without the text ${name}`);
  return field;
}

/**
 * Asks the server for the public keys that a message names. The call is made as the sender or the receiver, whichever
 * is an account of this server.
 */
export async function lookUpKeys(
  message: LabMessage,
  { senderKeyId, receiverKeyId }: { readonly senderKeyId: number; readonly receiverKeyId: number },
): Promise<KnownKey[]> {
  const { accounts } = useInspector.getState();
  const asker = accounts.find(({ mid }) => mid === message.from || mid === message.to);
  if (!asker) throw new Refused('neither the sender nor the receiver is an account of this server');
  const wanted = [
    [message.from, senderKeyId] as const,
    ...(isGroup(message) ? [] : [[message.to, receiverKeyId] as const]),
  ];
  const found: KnownKey[] = [];
  for (const [mid, keyId] of wanted) {
    const key = await callAs(asker.mid, 'TalkService.getE2EEPublicKey', [mid, KEY_VERSION, keyId]);
    found.push({ owner: nameOf(mid), keyId, publicKey: fromBase64(textIn(key, 'keyData')) });
  }
  return found;
}

/** Opens the backup that an account has on this server. */
export async function openBackupOf(account: string, passphrase: string): Promise<KeyChainEntry[]> {
  const backup = await callAs(account, 'KeyBackupService.getBackup', []);
  return openKeyChainBackup(fromBase64(textIn(backup, 'blob')), passphrase);
}
