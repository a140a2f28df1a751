// Login with a credential (specification: States and transitions, Authentication: Login).
import {
  type ErrorName,
  httpPaths,
  type LongPollJQResult,
  type LongPollLF1Result,
  loginResultTypes,
  loginTypes,
  type MethodArgs,
  type MethodResult,
} from '@sealpost/contract';
import { createKeyPair, createLoginSecret, createPin, type KeyPair } from '@sealpost/crypto';
import { loaded } from '../deferred.ts';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { ClientPorts } from '../gateway/ports.ts';
import type { Session } from '../gateway/session.ts';
import { encryptCredential } from './credential.ts';
import { LoginError } from './login-error.ts';
import { longPoll, pollOf } from './long-poll.ts';
import type { ReceivedKeys } from './received-keys.ts';

export interface Credential {
  /** A user id, e-mail address or phone number. */
  readonly identifier: string;
  readonly password: string;
  /** The certificate of an earlier login. With a certificate, no other device needs to confirm this login. */
  readonly certificate?: string;
  /** The name of this login in the list of sessions. */
  readonly systemName?: string;
  readonly modelName?: string;
  /**
   * Called if a device that is already logged in must confirm the login; the user types this PIN there. If the client
   * has a key store, show the words too: the other device must show the same words before it hands over keys. If there
   * are no words, the account has no keys to hand over. In that case, the user must refuse a device that offers keys.
   */
  readonly onConfirmationNeeded?: (pinCode: string, words?: string) => void;
  /** Called with the reason if the login asked for keys and got none. */
  readonly onWithoutKeys?: (reason: string) => void;
  /** Aborts the login. */
  readonly signal?: AbortSignal;
}

export type CompletedLogin = { readonly session: Session } & ReceivedKeys;

interface LoginDeps {
  readonly gateway: Gateway;
  readonly ports: ClientPorts;
  readonly credential: Credential;
  readonly signal: AbortSignal;
}

type LoginResult = MethodResult<'AuthService.loginV2'>;
type LoginRequest = MethodArgs<'AuthService.loginV2'>[0];

/** Maximum waiting time of each poll, and whether the poll is repeated (specification: Limits). */
const POLLS = {
  LF1: { path: httpPaths.longPollLF1, waitMs: 110_000, repeated: true },
  JQ: { path: httpPaths.longPollJQ, waitMs: 180_000, repeated: false },
} as const;

/**
 * Logs in.
 * @param sealed whether to ask for the key chain. If the server cannot give the key chain, `onWithoutKeys` is called,
 * and the login is repeated without asking for it.
 */
export async function loginByCredential(deps: LoginDeps, sealed: boolean): Promise<CompletedLogin> {
  if (!sealed) return loginPlain(deps);
  try {
    return await loginSealed(deps);
  } catch (error) {
    if (!(error instanceof GatewayError && error.error && cannotSeal.includes(error.error))) throw error;
    deps.credential.onWithoutKeys?.(error.reason);
    return loginPlain(deps);
  }
}

const cannotSeal: readonly ErrorName[] = [
  'E2EE_SENDER_NOT_ALLOWED',
  'E2EE_UPDATE_PRIMARY_DEVICE',
  'E2EE_PRIMARY_NOT_SUPPORT',
];

/** Logs in with type 0: the server makes the PIN, and the login brings no keys. */
async function loginPlain(deps: LoginDeps): Promise<CompletedLogin> {
  const result = await present(deps, { type: loginTypes.ID_CREDENTIAL, secret: '' });
  if (result.type === loginResultTypes.SUCCESS) return { session: sessionOf(result), keys: [] };
  const verifier = verifierOf(result);
  deps.credential.onConfirmationNeeded?.(result.pinCode ?? '');
  const answer = await confirmation<LongPollJQResult>(deps, POLLS.JQ, verifier);
  return { session: await finish(deps, answer.result.verifier || verifier), keys: [] };
}

/**
 * Logs in with type 2. This device makes the PIN and seals its own public key under that PIN. The key chain comes
 * sealed for that public key.
 */
async function loginSealed(deps: LoginDeps): Promise<CompletedLogin> {
  const device = createKeyPair();
  const pin = createPin();
  const secret = await createLoginSecret(pin, device.publicKey);
  const result = await present(deps, { type: loginTypes.ID_CREDENTIAL_WITH_E2EE, secret });
  if (result.type === loginResultTypes.SUCCESS) return { session: sessionOf(result), keys: [] };
  const verifier = verifierOf(result);
  if (result.pinCode) throw new LoginError('unsafe', SERVER_PIN);
  const { toldKeyOf, wordsFor } = await receiving();
  const told = toldKeyOf(result.accountKey);
  deps.credential.onConfirmationNeeded?.(pin, wordsFor(device, told));
  const answer = await confirmation<LongPollLF1Result>(deps, POLLS.LF1, verifier);
  return takeKeys(deps, { device, told }, verifier, answer);
}

const receiving = () => loaded(import('./received-keys.ts'));

const SERVER_PIN =
  'the server made a PIN for a login that hands over keys. Whoever knows that PIN can read them, so it is not shown. Nothing was confirmed';

async function takeKeys(
  deps: LoginDeps,
  { device, told }: { device: KeyPair; told: Uint8Array | undefined },
  verifier: string,
  answer: LongPollLF1Result,
): Promise<CompletedLogin> {
  const { openKeys, proofOf, sealedChainOf } = await receiving();
  const sealed = sealedChainOf(answer.result.metadata);
  if (!sealed) {
    deps.credential.onWithoutKeys?.('whoever confirmed the login handed over no keys');
    return { session: await finish(deps, verifier), keys: [] };
  }
  const keys = await openKeys(device, sealed, told).catch((cause: unknown) => {
    if (cause instanceof LoginError) throw cause;
    throw new LoginError('pin', 'the keys do not open: the PIN was mistyped on the other device; log in again', {
      cause,
    });
  });
  const proof = await proofOf(device, sealed);
  const confirmed = await deps.gateway.anonymous('AuthService.confirmE2EELogin', verifier, proof);
  return { session: await finish(deps, confirmed), keys };
}

/** Sends the credential, encrypted with a new key of the server. */
async function present(
  { gateway, credential }: LoginDeps,
  kind: Pick<LoginRequest, 'type' | 'secret'>,
): Promise<LoginResult> {
  const key = await gateway.anonymous('TalkService.getRSAKeyInfo', 1);
  return gateway.anonymous('AuthService.loginV2', {
    ...requestOf(credential),
    ...kind,
    identifier: key.keynm,
    password: encryptCredential(key, credential.identifier, credential.password),
  });
}

async function finish({ gateway, credential }: LoginDeps, verifier: string): Promise<Session> {
  const request = { ...requestOf(credential), type: loginTypes.QRCODE, identifier: '', password: '', secret: '' };
  const result = await gateway.anonymous('AuthService.loginV2', { ...request, verifier });
  if (result.type !== loginResultTypes.SUCCESS) throw unsupported(result);
  return sessionOf(result);
}

const requestOf = (credential: Credential): Omit<LoginRequest, 'type'> => ({
  identityProvider: 1,
  keepLoggedIn: true,
  accessLocation: '',
  systemName: credential.systemName ?? 'sealpost-sdk',
  modelName: credential.modelName ?? '',
  certificate: credential.certificate ?? '',
  verifier: '',
  e2eeVersion: 1,
});

/** Waits until a device that is logged in has confirmed the login. */
async function confirmation<T>(
  { gateway, ports, signal }: LoginDeps,
  { path, waitMs, repeated }: (typeof POLLS)[keyof typeof POLLS],
  verifier: string,
): Promise<T> {
  const what = 'waiting for the confirmation of the login';
  const options = { elapsed: 'POLL_TIMEOUT', windows: Number.POSITIVE_INFINITY, signal } as const;
  const rest = pollOf(gateway, verifier, waitMs, signal);
  const poll = () => gateway.get(what, path, rest);
  const answer = await (repeated ? longPoll(ports, options, poll) : poll()).catch((cause: unknown) => {
    signal.throwIfAborted();
    if (!(cause instanceof GatewayError) || !isOver.includes(cause.error)) throw cause;
    const message = 'the login was refused on another device, or nobody confirmed it in time: log in again';
    throw new LoginError('refused', message, { cause });
  });
  return answer as T;
}

const isOver: readonly (ErrorName | undefined)[] = ['POLL_GONE', 'POLL_TIMEOUT'];

function verifierOf(result: LoginResult): string {
  if (result.type !== loginResultTypes.REQUIRE_DEVICE_CONFIRM || !result.verifier) throw unsupported(result);
  return result.verifier;
}

function sessionOf({ mid, certificate, tokenV3IssueResult }: LoginResult): Session {
  if (!tokenV3IssueResult || !mid) {
    throw new LoginError('unsupported', 'login failed: the answer says SUCCESS and has no tokens or no mid');
  }
  return { mid, tokens: tokenV3IssueResult, ...(certificate ? { certificate } : {}) };
}

function unsupported(result: LoginResult): LoginError {
  const kind = Object.entries(loginResultTypes).find(([, number]) => number === result.type)?.[0] ?? result.type;
  return new LoginError(
    'unsupported',
    `login failed: the server asks for ${kind}, which this client cannot do. ${result.displayMessage ?? ''}`,
  );
}
