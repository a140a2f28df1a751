// Accepts another key log than the one that this device remembers.
import { toBase64 } from '@sealpost/crypto';
import type { ContactDeps } from './contacts.ts';

/**
 * Accepts the log that the server has now in place of the remembered one. Ids of keys may mean other keys in it. So
 * keys of other users are forgotten, except the newest of each, to tell whether it has changed. Keys of this account
 * that the server does not list are to be registered again. The remembered backup of keys is forgotten, because the
 * server's may be older.
 */
export async function acceptLog({ gateway, keyStore, memory, mid }: ContactDeps): Promise<void> {
  const listed = await gateway.call('TalkService.getE2EEPublicKeys');
  for (const key of await keyStore.ownKeys(mid)) {
    const keyData = toBase64(key.publicKey);
    if (listed.some((one) => one.keyId === key.keyId && one.keyData === keyData)) continue;
    await keyStore.addUnregisteredKey(mid, key);
    await keyStore.removeOwnKey(mid, key.keyId);
  }
  await keyStore.forgetPeerKeys(mid);
  for (const peer of await memory.peers()) {
    await memory.updateKeys(peer, (keys) =>
      keys.slice(-1).map(({ keyData }) => ({ keyId: 0, keyData, logged: false })),
    );
  }
  await memory.setBackup(undefined);
  await memory.updateLog(() => ({}));
}
