// The places of secrets: the names of headers, fields, arguments and parameters, each with the role of its secret.

/** The purpose of a secret. The secret's placeholder contains this role: `redacted-access-token-1`. */
export type SecretRole =
  | 'access-token'
  | 'refresh-token'
  | 'token'
  | 'password'
  | 'pin'
  | 'certificate'
  | 'login'
  | 'private-key'
  | 'cookie'
  | 'secret'
  | 'signature';

type Places = readonly (readonly [names: RegExp, role: SecretRole])[];

/** Names of fields of structs, arguments of methods, and parameters of queries and forms. The first match counts. */
const fields: Places = [
  [/^(access|channelAccess|obs)_?token$/i, 'access-token'],
  [/refresh_?token$/i, 'refresh-token'],
  [/passw(or)?d$|passphrase$|passcode$/i, 'password'],
  [/^pin$|pin_?code$/i, 'pin'],
  [/^certificate$/i, 'certificate'],
  // Anybody who knows the id of an attempt to log in can finish that login.
  [/^(verifier|authSessionId)$/, 'login'],
  // Sealed key chains are secrets too, because a weak passphrase or PIN may open them.
  [/private_?key$|^encryptedKeyChain$|^encryptedSharedKeys?$|^keyMaterial$|^blob$/i, 'private-key'],
  [/^(wrappedNonce|kdfParameter[12]|hashKeyChain)$/, 'private-key'],
  // A push service accepts messages from everybody who knows the address and this secret.
  [/^(auth|endpoint)$/, 'secret'],
  [/secret$|credentials?$|api_?key$/i, 'secret'],
  [/cookie$/i, 'cookie'],
  [/token$/i, 'token'],
];

/**
 * Names of headers that are secrets as a whole. Cookies and Authorization are not in the list, because they have parts.
 */
const headers: Places = [
  [/^x-.+-access$/i, 'access-token'],
  [/^x-hmac$/i, 'signature'],
  [/^x-.+-session-id$/i, 'login'],
  [/token$|secret$|api-?key$|-auth$/i, 'token'],
];

/** Methods whose whole result is a secret. */
const results: Readonly<Record<string, SecretRole>> = {
  'AuthService.confirmE2EELogin': 'login',
  'TalkService.acquireEncryptedAccessToken': 'access-token',
};

const roleIn = (places: Places, name: string): SecretRole | undefined =>
  places.find(([names]) => names.test(name))?.[1];

/** Returns the role of the secret in a field, an argument or a parameter; undefined if the value is not a secret. */
export const secretField = (name: string): SecretRole | undefined => roleIn(fields, name);

/** Returns the role of the secret in a header; undefined if the value is not a secret. */
export const secretHeader = (name: string): SecretRole | undefined => roleIn(headers, name);

/** Returns the role of a method's result; undefined if it is not a secret. */
export const secretResult = (endpoint: string | undefined): SecretRole | undefined =>
  endpoint === undefined ? undefined : results[endpoint];

/**
 * Returns true if an argument of a method is a secret. Arguments have no names in the body, so a search for names would
 * miss the secret.
 */
export const hasNamelessSecret = (args: readonly { readonly name: string }[]): boolean =>
  args.some(({ name }) => secretField(name) !== undefined);

/** The separator in the result of acquireEncryptedAccessToken. The token follows it. */
export const RECORD_SEPARATOR = '\u001e';
