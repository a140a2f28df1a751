// Explains what is wrong with the certificate of a server, and what the user can do about it.
import { NetworkError } from '@sealpost/sdk';

const OWN_AUTHORITY =
  'If it is yours, name it (or that of the authority that signed it) in NODE_EXTRA_CA_CERTS=<file.pem>. If it is not, stop here: somebody may be listening in.';
const SELF_SIGNED = `is self-signed, so nobody vouches for it. ${OWN_AUTHORITY}`;
const UNKNOWN_AUTHORITY = `is signed by an authority that this machine does not know. ${OWN_AUTHORITY}`;

/** Explanations of the faults, by the error codes of OpenSSL and Node. */
const faults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `${UNKNOWN_AUTHORITY} If it is from a public authority, the server does not send the intermediate certificates.`,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'has expired. The operator of the server must renew it. Check the clock of this machine, too.',
  CERT_NOT_YET_VALID: 'is not valid yet. Check the clock of this machine.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name. Use the address that the operator gave you.',
};

/**
 * Returns the message for a connection that failed because of the server's certificate; undefined for every other
 * failure.
 */
export function certificateFault(error: unknown): string | undefined {
  if (!(error instanceof NetworkError)) return undefined;
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const fault = code === undefined ? undefined : faults[code];
    if (fault) return `No connection to ${error.url}: its certificate ${fault} (${code})`;
  }
  return undefined;
}
