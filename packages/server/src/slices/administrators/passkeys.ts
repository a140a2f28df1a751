// Asks browsers for passkeys, and checks what they answer. The library is loaded at the first answer, because it is
// large and most servers check few passkeys.
import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@sealpost/contract/admin';
import type { Random } from '@sealpost/contract/ports';
import { onFirstUse } from '../../platform/kernel/on-first-use.ts';
import { randomBase64url } from '../../platform/kernel/random-text.ts';
import type { FactorRow } from './queries.ts';
import type { RelyingParty } from './relying-party.ts';

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = 300_000;
/** The signature algorithms of passkeys, by their COSE numbers: EdDSA, ES256 and RS256. */
const ALGORITHMS = [-8, -7, -257];

const library = onFirstUse(() => import('@simplewebauthn/server'));

export const newChallenge = (random: Random): string => randomBase64url(random, CHALLENGE_BYTES);

export const creationOf = (
  { id, origin }: RelyingParty,
  { id: administratorId, name }: { readonly id: number; readonly name: string },
  known: readonly FactorRow[],
  challenge: string,
): PasskeyCreation => ({
  challenge,
  rp: { id, name: `Sealpost at ${new URL(origin).host}` },
  user: { id: Buffer.from(`administrator ${administratorId}`).toString('base64url'), name, displayName: name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: TIMEOUT_MS,
  excludeCredentials: descriptorsOf(known),
  authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  attestation: 'none',
});

export const requestOf = ({ id }: RelyingParty, known: readonly FactorRow[], challenge: string): PasskeyRequest => ({
  challenge,
  rpId: id,
  timeout: TIMEOUT_MS,
  allowCredentials: descriptorsOf(known),
  userVerification: 'preferred',
});

const descriptorsOf = (factors: readonly FactorRow[]): PasskeyRequest['allowCredentials'] =>
  factors.flatMap(({ credential_id: id, transports }) =>
    id === null
      ? []
      : [{ id, type: 'public-key' as const, transports: transports === '' ? [] : transports.split(' ') }],
  );

export interface CheckedPasskey {
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: string;
}

/** Returns a new passkey if it was made for this challenge at this server; otherwise undefined. */
export async function checkNewPasskey(
  party: RelyingParty,
  challenge: string,
  { response, ...given }: NewPasskey,
): Promise<CheckedPasskey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...given, response: { ...response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refusal);
  if (!registrationInfo) return undefined;
  const { id, publicKey, counter } = registrationInfo.credential;
  const transports = (response.transports ?? []).filter((name) => /^[a-z-]+$/.test(name)).join(' ');
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
}

/**
 * Returns the counter in the answer of a passkey. Returns undefined if the passkey did not sign this challenge at this
 * server, or if its counter went back.
 */
export async function checkAnswer(
  party: RelyingParty,
  challenge: string,
  answer: PasskeyAnswer,
  factor: FactorRow,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: {
      id: factor.credential_id ?? '',
      publicKey: new Uint8Array(Buffer.from(factor.key, 'base64url')),
      counter: factor.counter,
    },
  }).catch(refusal);
  return verified ? authenticationInfo?.newCounter : undefined;
}

/** The library throws for every answer that it does not accept, whatever the reason. */
const refusal = () => ({ verified: false as const, registrationInfo: undefined, authenticationInfo: undefined });
