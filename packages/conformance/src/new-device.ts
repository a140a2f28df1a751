// A device that is not logged in yet. It does not use the SDK, so a check can make each call of a login by itself and
// in any order.
import {
  brandHeader,
  type ErrorEntry,
  type ErrorName,
  errors,
  httpPaths,
  type MethodName,
  pathOf,
} from '@sealpost/contract';
import type { E2EELoginMetadata, TokenV3IssueResult } from '@sealpost/contract/schemas';
import { encryptCredential, type RpcClient, type RsaKey } from '@sealpost/sdk';
import { createRawClient, type RawAnswer, type RawClient, type RawClientOptions } from './raw-client.ts';
import { clock, randomBytes } from './surroundings.ts';

/** The fields that results of login calls have. Each call returns some of them. */
export interface LoginData {
  readonly authSessionId: string;
  readonly callbackUrl: string;
  readonly pinCode: string;
  readonly accountKey?: { readonly keyId: number; readonly publicKey: string };
  readonly type: number;
  readonly mid: string;
  readonly certificate: string;
  readonly verifier: string;
  readonly metaData: E2EELoginMetadata;
  readonly tokenV3IssueResult: TokenV3IssueResult;
  readonly result: { readonly verifier: string; readonly authPhase: string };
  readonly timestamp: string;
  /** The status in the body of a poll that ended without news. */
  readonly statusCode: number;
}

export const dataOf = (answer: RawAnswer): LoginData => answer.body.data as unknown as LoginData;

interface LoginAnswer extends RawAnswer {
  readonly data: LoginData;
}
const read = async (asked: Promise<RawAnswer>): Promise<LoginAnswer> => {
  const answer = await asked;
  return { ...answer, data: dataOf(answer) };
};

/** Returns `OK` for a success, otherwise the contract's name of the error. */
export function outcomeOf({ status, body }: RawAnswer): string {
  const thrown = body.data as unknown as { name?: string; code?: number } | null | undefined;
  if (status === 200 && body.message === 'OK') return 'OK';
  const found = (Object.entries(errors) as [ErrorName, ErrorEntry][]).find(([, entry]) =>
    entry.exception === 'gateway'
      ? entry.code === body.code && entry.http === status
      : thrown?.name === entry.exception && thrown.code === entry.code,
  );
  return found?.[0] ?? `${status} ${body.code}`;
}

/** Returns `OK` if the call of an SDK client succeeds, otherwise the contract's name of the error. */
export const refusalOf = async (call: Promise<unknown>): Promise<'OK' | ErrorName> =>
  call.then(
    () => 'OK' as const,
    (error: { error?: ErrorName }) => error.error ?? 'UNKNOWN_ERROR',
  );

type QrMethod = Extract<MethodName, `SecondaryQrCode${string}`>;
const QR = 'SecondaryQrCodeLoginService';
const PERMIT = 'SecondaryQrCodeLoginPermitNoticeService';

export type NewDevice = ReturnType<typeof newDevice>;

export function newDevice(options: RawClientOptions) {
  const raw: RawClient = createRawClient(options);
  const loginIds = new Map<string, string>();
  /** @param windowMs milliseconds that the server may wait before it answers the poll */
  const call = (method: QrMethod, args: readonly unknown[], windowMs = 1000, headers = {}) =>
    read(
      raw.send(pathOf(method), {
        body: JSON.stringify(args),
        headers: { 'X-LST': String(windowMs), ...headers },
      }),
    );
  const poll = (path: string, verifier: string, windowMs: number, headers = {}) =>
    read(
      raw.send(path, {
        verb: 'GET',
        headers: { [brandHeader(raw.brand, 'sessionId')]: verifier, 'X-LST': String(windowMs), ...headers },
      }),
    );
  return {
    raw,
    createSession: async () => (await call(`${QR}.createSession`, [{}])).data.authSessionId,
    async createQrCode(authSessionId: string) {
      const answer = await call(`${QR}.createQrCode`, [{ authSessionId }]);
      const loginId = URL.parse(answer.data?.callbackUrl ?? '')
        ?.pathname.split('/')
        .at(-1);
      if (loginId !== undefined) loginIds.set(authSessionId, loginId);
      return answer;
    },
    /**
     * Returns the id by which other devices name the login. If no code has been created, returns an id that the server
     * does not know.
     */
    loginIdOf: (authSessionId: string): string => loginIds.get(authSessionId) ?? 'no-code-yet',
    checkQr: (authSessionId: string, windowMs?: number) =>
      call(`${PERMIT}.checkQrCodeVerified`, [{ authSessionId }], windowMs),
    verifyCertificate: (authSessionId: string, certificate = '', headers = {}) =>
      call(`${QR}.verifyCertificate`, [{ authSessionId, certificate }], 1000, headers),
    createPin: (authSessionId: string) => call(`${QR}.createPinCode`, [{ authSessionId }]),
    checkPin: (authSessionId: string, windowMs?: number) =>
      call(`${PERMIT}.checkPinCodeVerified`, [{ authSessionId }], windowMs),
    qrLogin: (authSessionId: string, systemName = 'Chrome', headers = {}) =>
      call(`${QR}.qrCodeLoginV2`, [{ authSessionId, systemName, modelName: 'M1' }], 1000, headers),
    async login(identifier: string, password: string, more: Record<string, unknown> = {}) {
      const key = (await raw.call('TalkService.getRSAKeyInfo', [1])).body.data as unknown as RsaKey & { keynm: string };
      const encrypted = encryptCredential(key, identifier, password);
      const request = { type: 0, identifier: key.keynm, password: encrypted, systemName: 'Chrome', ...more };
      return read(raw.call('AuthService.loginV2', [request]));
    },
    finish: (verifier: string) => read(raw.call('AuthService.loginV2', [{ type: 1, verifier }])),
    prove: (verifier: string, deviceSecret: string) =>
      raw.call('AuthService.confirmE2EELogin', [verifier, deviceSecret]),
    pollJQ: (verifier: string, windowMs = 1000) => poll(httpPaths.longPollJQ, verifier, windowMs),
    pollLF1: (verifier: string, windowMs = 1000, headers = {}) =>
      poll(httpPaths.longPollLF1, verifier, windowMs, headers),
    /** Begins a QR login and creates its code. Returns the id of the login. */
    async showCode() {
      const id = await this.createSession();
      await this.createQrCode(id);
      return id;
    },
    /**
     * Begins a QR login, lets `primary` scan and approve it, and creates the PIN. Returns the ids of the login and the
     * PIN.
     */
    async showPin(primary: RpcClient) {
      const id = await this.showCode();
      const loginId = this.loginIdOf(id);
      await primary.PrimaryDeviceService.scanQrCode({ loginId });
      await primary.PrimaryDeviceService.approveLogin({ loginId });
      await this.checkQr(id);
      await this.verifyCertificate(id);
      return { id, loginId, pinCode: (await this.createPin(id)).data.pinCode };
    },
    close: () => raw.close(),
  };
}

/** Returns a clock that follows the machine's time. `move` sets it forward. */
export function runningClock() {
  let ahead = 0;
  return {
    now: () => clock.now() + ahead,
    monotonic: () => clock.monotonic() + ahead,
    move: (ms: number) => {
      ahead += ms;
    },
  };
}

export const wrongPinFor = (pinCode: string, n = 1): string =>
  String((Number(pinCode) + n) % 1_000_000).padStart(6, '0');

/**
 * Returns a sealed key chain in the form that a primary device sends. It consists of random bytes, because the server
 * cannot tell the difference.
 */
export const sampleHandover = () => ({
  keyId: '1234',
  publicKey: randomBytes(32).toString('base64'),
  encryptedKeyChain: randomBytes(112).toString('base64'),
  e2eeVersion: 1,
  hashKeyChain: randomBytes(16).toString('base64'),
});
