// Faults after a server was set back to an earlier copy: ids of keys are given twice, and clients do not accept that.
import type { Mutant } from '../scripts/mutants/mutant.ts';

const accept = 'packages/sdk/src/trust/accept-log.ts';

/** Returns the mutant that this test of clients at a restored server must notice. */
const mutant = (pattern: string, name: string, file: string, find: string, replace: string): Mutant => ({
  ...{ name, file, find, replace, pattern },
  tests: ['packages/sdk/test/restored-server.test.ts'],
});

export default [
  mutant(
    'never gives the id of a group key again',
    'ids of group keys count from 1',
    'packages/server/src/slices/sealing/group-keys.ts',
    'Math.max(earlier + 1, Math.floor((now - IDS_BEGIN) / 1000))',
    'Math.max(earlier + 1, 0 * now)',
  ),
  mutant(
    'takes the keys of a device',
    'own keys that the server lost are not registered again',
    accept,
    'await keyStore.addUnregisteredKey(mid, key);',
    '',
  ),
  mutant(
    'takes the keys of a device',
    'own keys that the server lost stay the keys of this device',
    accept,
    'await keyStore.removeOwnKey(mid, key.keyId);',
    '',
  ),
  mutant(
    'lets others seal for the key that it has',
    'an older key of an accepted log is taken for a replaced one',
    accept,
    'keys.slice(-1).map(({ keyData }) => ({ keyId: 0, keyData, logged: false }))',
    'keys.map((key) => ({ ...key, logged: false }))',
  ),
  mutant(
    'takes the keys of a device',
    'a known key under a new id counts as a new key',
    'packages/sdk/src/trust/known-keys.ts',
    ' && keyData !== key.keyData',
    '',
  ),
  mutant(
    'takes the keys of a device',
    'the current own key is not looked up again after a log was accepted',
    'packages/sdk/src/sealing/account-sealing.ts',
    "if (kind === 'log-accepted')",
    'if (!kind)',
  ),
  mutant(
    'takes the keys of a device',
    'the oldest lost key becomes the current one',
    'packages/sdk/src/key-store/key-store.ts',
    'timeOf(a) - timeOf(b)',
    'timeOf(b) - timeOf(a)',
  ),
  mutant(
    'may give the id of a lost key',
    'keys of others are kept under the ids of an earlier log',
    accept,
    'await keyStore.forgetPeerKeys(mid);',
    '',
  ),
  mutant(
    'restores the backup of keys that it has',
    'the backup of keys that the server lost is still wanted after its log was accepted',
    accept,
    'await memory.setBackup(undefined);',
    '',
  ),
] satisfies readonly Mutant[];
