// The verbs of the engine about keys: the backup of keys, new keys, alarms, and whether chats are sealed.
import { type Client, createRecoveryPassphrase, KeyTrustError, passphraseStrength, SealingError } from '@sealpost/sdk';
import { isOfOtherLog } from '../safety/decisions.ts';
import type { EngineTrust } from './engine-trust.ts';

export interface KeyVerbsDeps {
  readonly client: () => Client;
  readonly trust: EngineTrust;
}

/** Tells whether a message written into a chat now would be sealed, and if not, why. */
export type SealState =
  | { readonly kind: 'sealed' }
  | { readonly kind: 'plain'; readonly because: string; readonly refused: boolean }
  | { readonly kind: 'own-key-missing' }
  | { readonly kind: 'alarm'; readonly reason: string };

const GROUPS_OF_DIGITS = /.{4}/g;

export function createKeyVerbs({ client, trust }: KeyVerbsDeps) {
  return {
    newPassphrase: () => createRecoveryPassphrase(),
    strength: (typed: string) => passphraseStrength(typed),
    async backUp(passphrase: string, replace: boolean) {
      const stored = await client().recovery.backup(passphrase, { replace });
      await trust.settleOffer();
      if (stored.addedKeyIds.length > 0) await trust.refresh();
      return stored;
    },
    async restore(passphrase: string) {
      const restored = await client().recovery.restore(passphrase);
      await trust.settleOffer();
      await trust.refresh();
      return restored;
    },
    async deleteBackup(): Promise<void> {
      const { KeyBackupService } = client().rpc;
      const { version } = await KeyBackupService.getBackupInfo();
      await KeyBackupService.deleteBackup({ expectedVersion: version });
    },
    /** Makes a new key for the account. Messages sealed for keys that this browser lacks still cannot be opened. */
    async renewKey(): Promise<void> {
      await client().sealing.renewOwnKey();
      await trust.refresh();
    },
    openAgain: () => client().openAgain(),
    settleBackupOffer: () => trust.settleOffer(),
    /** Accepts the server's record of keys as it is now, and marks the alarms about it. */
    async acceptLog(): Promise<void> {
      await client().trust.acceptLog();
      // Registers keys again that the server lost.
      await client().sealing.ownKey();
      for (const { id, reason } of trust.known.alarms) if (isOfOtherLog(reason)) await trust.markSeen(id, true);
    },
    markAlarmSeen: (id: string) => trust.markSeen(id),
    /** Returns the SHA-256 of the account's newest public key on the server, as groups of four hex digits. */
    async fingerprint(): Promise<string | undefined> {
      const keys = await client().rpc.TalkService.getE2EEPublicKeys();
      const newest = keys.toSorted((one, other) => other.keyId - one.keyId)[0];
      if (!newest) return undefined;
      const bytes = Uint8Array.from(atob(newest.keyData), (character) => character.charCodeAt(0));
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      return hex.match(GROUPS_OF_DIGITS)?.join(' ');
    },
    async sealState(chatMid: string): Promise<SealState> {
      try {
        const preview = await client().sealing.preview({ to: chatMid, contentType: 0 });
        if (preview.sealed) return { kind: 'sealed' };
        return { kind: 'plain', because: preview.because, refused: preview.refused !== undefined };
      } catch (error) {
        if (error instanceof KeyTrustError) return { kind: 'alarm', reason: error.reason };
        if (error instanceof SealingError && error.reason === 'own-key-missing') return { kind: 'own-key-missing' };
        throw error;
      }
    },
    groupTrust: (chatMid: string) => client().sealing.group(chatMid),
  };
}

export type KeyVerbs = ReturnType<typeof createKeyVerbs>;
