import type { PassphraseCost } from '@sealpost/crypto';
import { deferred } from '../deferred.ts';
import type { KeyRecords } from './key-records.ts';

/** Returns the records themselves, or records sealed under a passphrase if there is one. */
export const protectedRecords = (records: KeyRecords, passphrase?: string, cost?: PassphraseCost): KeyRecords =>
  passphrase === undefined
    ? records
    : deferred(['get', 'list', 'add', 'put', 'remove'], async () =>
        (await import('./passphrase-records.ts')).passphraseRecords(records, passphrase, cost),
      );
