// Certificates: a device that logged in before shows its certificate and needs no confirmation again.

import { tokenHash } from '../kernel/digest.ts';
import type { Clock, Random } from '../kernel/ports.ts';
import type { Reader, Tx } from '../store/store.ts';
import { dropOldCertificates, findCertificate, insertCertificate } from './queries.ts';

const BYTES = 32;
const FORM = /^[0-9a-f]{64}$/;
/** The oldest ones of an account go first. */
const KEPT = 50;

export interface Certificates {
  /** Whether the account got this certificate for this class of device. */
  recognises(reader: Reader, accountId: number, deviceClass: string, certificate: string | undefined): Promise<boolean>;
  /** Makes a new one. */
  issue(tx: Tx, accountId: number, deviceClass: string): Promise<string>;
}

export function createCertificates(random: Random, clock: Clock): Certificates {
  return {
    async recognises(reader, accountId, deviceClass, certificate) {
      if (certificate === undefined || !FORM.test(certificate)) return false;
      return (await reader.one(findCertificate, tokenHash(certificate), accountId, deviceClass)) !== undefined;
    },
    async issue(tx, accountId, deviceClass) {
      const certificate = random.bytes(BYTES).toString('hex');
      await tx.run(insertCertificate, tokenHash(certificate), accountId, deviceClass, clock.now());
      await tx.run(dropOldCertificates, accountId, accountId, KEPT);
      return certificate;
    },
  };
}
