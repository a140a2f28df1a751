import { scenarios } from '../check.ts';
import { expectEqual } from '../mismatch.ts';
import type { Person } from '../person.ts';
import { randomBytes } from '../surroundings.ts';

const heading = 'none: an endpoint beyond the specification (extension)';
const BACKUP = 'KeyBackupService';
const BLOB_BYTES = 256;

const infoOf = (person: Person) => person.call(`${BACKUP}.getBackupInfo`);

async function put(person: Person): Promise<string> {
  const { version } = await infoOf(person);
  const blob = randomBytes(BLOB_BYTES).toString('base64');
  await person.call(`${BACKUP}.putBackup`, { expectedVersion: version, blob });
  return blob;
}

export const keyBackup = scenarios('key-backup', {
  stored: {
    endpoint: `${BACKUP}.getBackup`,
    heading,
    expects: 'A stored backup is returned unchanged in every session; before that there is none',
    async run({ account }) {
      const alice = await account();
      await alice.refused('NOT_FOUND', `${BACKUP}.getBackup`);
      const blob = await put(alice);
      expectEqual('the size to be', (await infoOf(alice)).size, BLOB_BYTES);
      const other = await alice.session();
      expectEqual('the backup to be', (await other.call(`${BACKUP}.getBackup`)).blob, blob);
    },
  },
  version: {
    endpoint: `${BACKUP}.putBackup`,
    heading,
    expects: 'Only a caller who knows the current version can replace the backup',
    async run({ account }) {
      const alice = await account();
      await put(alice);
      const blob = randomBytes(BLOB_BYTES).toString('base64');
      await alice.refused('INVALID_STATE', `${BACKUP}.putBackup`, { expectedVersion: 0, blob });
    },
  },
  deleted: {
    endpoint: `${BACKUP}.deleteBackup`,
    heading,
    expects: 'A deleted backup is gone',
    async run({ account }) {
      const alice = await account();
      await put(alice);
      await alice.call(`${BACKUP}.deleteBackup`, { expectedVersion: (await infoOf(alice)).version });
      await alice.refused('NOT_FOUND', `${BACKUP}.getBackup`);
    },
  },
});
