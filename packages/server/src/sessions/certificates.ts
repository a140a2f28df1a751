// Certificates: a device that logged in before shows its certificate and needs no confirmation again.

import { tokenHash } from '../kernel/digest.ts';
import type { Clock, Random } from '../kernel/ports.ts';
import type { Reader, Tx } from '../store/store.ts';
import {
  type CertificateRow,
  certificateClass,
  certificatesOf,
  dropOldCertificates,
  findCertificate,
  insertCertificate,
  moveCertificate,
  revokeCertificate,
  revokeCertificatesOfOthers,
  revokeCertificatesOfSession,
} from './queries.ts';

const BYTES = 32;
const FORM = /^[0-9a-f]{64}$/;
/** The oldest ones of an account go first. */
const KEPT = 50;

export interface Certificates {
  /** Whether the account got this certificate for this class of device. */
  recognises(reader: Reader, accountId: number, deviceClass: string, certificate: string | undefined): Promise<boolean>;
  /** The class of device that the account got this certificate for. */
  classOf(reader: Reader, accountId: number, certificate: string | undefined): Promise<string | undefined>;
  /** Makes a new one for a session. */
  issue(tx: Tx, accountId: number, deviceClass: string, sessionId: number): Promise<string>;
  /** A certificate was shown at the login that made this session. */
  moveTo(tx: Tx, certificate: string, sessionId: number): Promise<void>;
  /** Good ones, newest first. `id` is no secret. */
  list(reader: Reader, accountId: number): Promise<CertificateRow[]>;
  /** Answers whether there was one to revoke. */
  revoke(tx: Tx, accountId: number, id: string): Promise<boolean>;
  revokeOfSession(tx: Tx, accountId: number, sessionId: number): Promise<void>;
  /** Leaves only that of one session. */
  revokeOfOthers(tx: Tx, accountId: number, sessionId: number): Promise<void>;
}

export function createCertificates(random: Random, clock: Clock): Certificates {
  const wellFormed = (certificate: string | undefined): certificate is string =>
    certificate !== undefined && FORM.test(certificate);
  return {
    async recognises(reader, accountId, deviceClass, certificate) {
      if (!wellFormed(certificate)) return false;
      return (await reader.one(findCertificate, tokenHash(certificate), accountId, deviceClass)) !== undefined;
    },
    async classOf(reader, accountId, certificate) {
      if (!wellFormed(certificate)) return undefined;
      return (await reader.one(certificateClass, tokenHash(certificate), accountId))?.client_type;
    },
    async issue(tx, accountId, deviceClass, sessionId) {
      const certificate = random.bytes(BYTES).toString('hex');
      await tx.run(insertCertificate, tokenHash(certificate), accountId, deviceClass, sessionId, clock.now());
      await tx.run(dropOldCertificates, accountId, accountId, KEPT);
      return certificate;
    },
    moveTo: (tx, certificate, sessionId) => tx.run(moveCertificate, sessionId, tokenHash(certificate)),
    list: (reader, accountId) => reader.all(certificatesOf, accountId),
    async revoke(tx, accountId, id) {
      return (await tx.one(revokeCertificate, clock.now(), accountId, id)) !== undefined;
    },
    revokeOfSession: (tx, accountId, sessionId) =>
      tx.run(revokeCertificatesOfSession, clock.now(), accountId, sessionId),
    revokeOfOthers: (tx, accountId, sessionId) => tx.run(revokeCertificatesOfOthers, clock.now(), accountId, sessionId),
  };
}
