// Creates and uses passkeys in this browser, as the server requests.
import { adminClient, type LoginState, setLogin } from '../client/session.ts';

/** Returns whether passkeys work at the address of this page. */
export const hasPasskeys = ({ passkeyOrigin }: LoginState): boolean =>
  passkeyOrigin === location.origin && 'PublicKeyCredential' in window;

const requireKey = (credential: Credential | null): PublicKeyCredential => {
  if (credential instanceof PublicKeyCredential) return credential;
  throw new Error('the browser has no passkey');
};

/** Makes a passkey, and gives its public part to the server. */
export async function addPasskey(name: string, password?: string) {
  const options = await adminClient().beginPasskey(password === undefined ? {} : { password });
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = requireKey(await navigator.credentials.create({ publicKey }));
  const { id, rawId, response } = made.toJSON();
  if (!('attestationObject' in response)) throw new Error('the browser made no passkey');
  const { clientDataJSON, attestationObject, transports } = response;
  const credential = {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports },
  } as const;
  return adminClient().addPasskey({ credential, name });
}

/** Logs in with a passkey as the second factor. */
export async function logInWithPasskey(): Promise<void> {
  const options = await adminClient().beginPasskeyLogin();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const got = requireKey(await navigator.credentials.get({ publicKey }));
  const { id, rawId, response } = got.toJSON();
  if (!('signature' in response)) throw new Error('the browser did not sign with a passkey');
  const { clientDataJSON, authenticatorData, signature } = response;
  const credential = {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, authenticatorData, signature },
  } as const;
  setLogin(await adminClient().logInWithPasskey({ credential }));
}
