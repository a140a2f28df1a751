// A key store that reports when it gets key pairs of an account, whatever part of the SDK adds them.
import type { KeyStore } from './key-store.ts';

/**
 * Wraps a store, so that it calls `added` after each addition of the account's own keys.
 * @param added gets the mid of the account
 */
export const announcingKeyStore = (store: KeyStore, added: (mid: string) => void): KeyStore => ({
  ownKeys: (mid) => store.ownKeys(mid),
  async addOwnKeys(mid, keys) {
    await store.addOwnKeys(mid, keys);
    if (keys.length > 0) added(mid);
  },
  removeOwnKey: (mid, keyId) => store.removeOwnKey(mid, keyId),
  unregisteredKeys: (mid) => store.unregisteredKeys(mid),
  addUnregisteredKey: (mid, key) => store.addUnregisteredKey(mid, key),
  removeUnregisteredKey: (mid, key) => store.removeUnregisteredKey(mid, key),
  groupKey: (mid, chatMid, groupKeyId) => store.groupKey(mid, chatMid, groupKeyId),
  addGroupKey: (mid, key) => store.addGroupKey(mid, key),
  peerKeys: (mid, peer) => store.peerKeys(mid, peer),
  addPeerKey: (mid, key) => store.addPeerKey(mid, key),
  note: (mid, name) => store.note(mid, name),
  notes: (mid, prefix) => store.notes(mid, prefix),
  putNote: (mid, name, text) => store.putNote(mid, name, text),
  forgetPeerKeys: (mid) => store.forgetPeerKeys(mid),
  forget: (mid) => store.forget(mid),
});
