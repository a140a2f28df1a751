// Certificates. A device that has a certificate from an earlier login needs no confirmation to log in again.

import type { Clock, Random } from '@sealpost/contract/ports';
import { tokenHash } from '../../platform/kernel/digest.ts';
import { randomHex } from '../../platform/kernel/random-text.ts';
import type { Reader, Tx } from '../../platform/store/store.ts';
import {
  type CertificateRow,
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
/** Maximum number of certificates of an account. If there are more, the oldest are removed. */
const KEPT = 50;

/** The kind of a client, recognized by the header that contains its version. */
export type ClientKind = 'CHROME' | 'OTHER';

export const clientKindOf = ({ chromeClient }: { readonly chromeClient: boolean }): ClientKind =>
  chromeClient ? 'CHROME' : 'OTHER';

export interface Certificates {
  /** Returns whether the account has this certificate for a client of this kind. */
  recognises(reader: Reader, accountId: number, kind: ClientKind, certificate: string | undefined): Promise<boolean>;
  /** Creates a certificate for a session and returns it. */
  issue(tx: Tx, accountId: number, kind: ClientKind, sessionId: number): Promise<string>;
  /** Links a certificate to the session that was opened with it. */
  moveTo(tx: Tx, certificate: string, kind: ClientKind, sessionId: number): Promise<void>;
  /** Returns the valid certificates, newest first. Their `id` is not secret. */
  list(reader: Reader, accountId: number): Promise<CertificateRow[]>;
  /** Revokes a certificate; returns false if the account has no valid certificate with this id. */
  revoke(tx: Tx, accountId: number, id: string): Promise<boolean>;
  revokeOfSession(tx: Tx, accountId: number, sessionId: number): Promise<void>;
  /** Revokes all certificates of the account except those of one session. */
  revokeOfOthers(tx: Tx, accountId: number, sessionId: number): Promise<void>;
}

export function createCertificates(random: Random, clock: Clock): Certificates {
  const wellFormed = (certificate: string | undefined): certificate is string =>
    certificate !== undefined && FORM.test(certificate);
  return {
    async recognises(reader, accountId, kind, certificate) {
      if (!wellFormed(certificate)) return false;
      return (await reader.one(findCertificate, tokenHash(certificate), accountId, kind)) !== undefined;
    },
    async issue(tx, accountId, kind, sessionId) {
      const certificate = randomHex(random, BYTES);
      await tx.run(insertCertificate, tokenHash(certificate), accountId, kind, sessionId, clock.now());
      await tx.run(dropOldCertificates, accountId, accountId, KEPT);
      return certificate;
    },
    moveTo: (tx, certificate, kind, sessionId) => tx.run(moveCertificate, sessionId, kind, tokenHash(certificate)),
    list: (reader, accountId) => reader.all(certificatesOf, accountId),
    async revoke(tx, accountId, id) {
      return (await tx.one(revokeCertificate, clock.now(), accountId, id)) !== undefined;
    },
    revokeOfSession: (tx, accountId, sessionId) =>
      tx.run(revokeCertificatesOfSession, clock.now(), accountId, sessionId),
    revokeOfOthers: (tx, accountId, sessionId) => tx.run(revokeCertificatesOfOthers, clock.now(), accountId, sessionId),
  };
}
