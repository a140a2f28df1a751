// Credential login (specification: States and transitions, Authentication: Login).
import { brandHeader, loginResultTypes, loginTypes, type MethodResult, plainHeaders } from '@sealpost/contract';
import type { Gateway } from './calls.ts';
import { encryptCredential } from './credential.ts';
import { GatewayError } from './errors.ts';
import type { Session } from './session.ts';

export interface Credential {
  /** User id, e-mail address or phone number. */
  readonly identifier: string;
  readonly password: string;
  /** Certificate of an earlier login: makes the confirmation by another device needless. */
  readonly certificate?: string;
  /** Name under which this login appears in the list of sessions. */
  readonly systemName?: string;
  /** Called if a device that is logged in already must confirm; the user types this PIN there. */
  readonly onConfirmationNeeded?: (pinCode: string) => void;
}

type LoginResult = MethodResult<'AuthService.loginV2'>;

const POLL = { path: '/api/talk/long-polling/JQ', waitMs: 180_000, spareMs: 10_000 } as const;

/** Logs in and answers the session. */
export async function loginByCredential(gateway: Gateway, credential: Credential): Promise<Session> {
  const key = await gateway.anonymous('TalkService.getRSAKeyInfo', 1);
  const result = await gateway.anonymous('AuthService.loginV2', {
    type: loginTypes.ID_CREDENTIAL,
    identityProvider: 1,
    identifier: key.keynm,
    password: encryptCredential(key, credential.identifier, credential.password),
    keepLoggedIn: true,
    accessLocation: '',
    systemName: credential.systemName ?? 'sealpost-sdk',
    certificate: credential.certificate ?? '',
    secret: '',
    e2eeVersion: 1,
    modelName: '',
  });
  if (result.type === loginResultTypes.SUCCESS) return sessionOf(result);
  if (result.type !== loginResultTypes.REQUIRE_DEVICE_CONFIRM || !result.verifier) throw unsupported(result);
  credential.onConfirmationNeeded?.(result.pinCode ?? '');
  return finishConfirmed(gateway, credential, await waitForConfirmation(gateway, result.verifier));
}

async function waitForConfirmation(gateway: Gateway, verifier: string): Promise<string> {
  for (;;) {
    try {
      const answer = (await gateway.get('waiting for the confirmation of the login', POLL.path, {
        headers: {
          [brandHeader(gateway.brand, 'sessionId')]: verifier,
          [plainHeaders.longPollTime.name]: String(POLL.waitMs),
        },
        timeoutMs: POLL.waitMs + POLL.spareMs,
      })) as { result?: { verifier?: string } };
      return answer.result?.verifier ?? verifier;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.error !== 'POLL_TIMEOUT') throw error;
    }
  }
}

async function finishConfirmed(gateway: Gateway, credential: Credential, verifier: string): Promise<Session> {
  const result = await gateway.anonymous('AuthService.loginV2', {
    type: loginTypes.QRCODE,
    identityProvider: 1,
    identifier: '',
    password: '',
    systemName: credential.systemName ?? 'sealpost-sdk',
    certificate: credential.certificate ?? '',
    verifier,
    secret: '',
    e2eeVersion: 1,
    modelName: '',
  });
  if (result.type !== loginResultTypes.SUCCESS) throw unsupported(result);
  return sessionOf(result);
}

function sessionOf({ mid, certificate, tokenV3IssueResult }: LoginResult): Session {
  if (!tokenV3IssueResult || !mid) throw new Error('login failed: the answer says SUCCESS and has no tokens or no mid');
  return { mid, tokens: tokenV3IssueResult, ...(certificate ? { certificate } : {}) };
}

function unsupported(result: LoginResult): Error {
  const kind = Object.entries(loginResultTypes).find(([, number]) => number === result.type)?.[0] ?? result.type;
  return new Error(
    `login failed: the server asks for ${kind}, which this client can not do. ${result.displayMessage ?? ''}`,
  );
}
