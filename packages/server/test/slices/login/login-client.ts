// Calls the handlers of the login slice directly, as the request pipeline does.
import assert from 'node:assert/strict';
import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { failureLimits } from '@sealpost/contract';
import type { LoginRequest, LoginResult, RSAKeyInfo } from '@sealpost/contract/schemas';
import type { Slices } from '@sealpost/dev-env/account-slices';
import { systemPorts } from '../../../src/platform/kernel/system.ts';
import type { Call, UserCall } from '../../../src/platform/rpc/call.ts';
import { createLogin, type LoginConfirmation } from '../../../src/slices/login/index.ts';
import { createTellDevices } from '../../../src/slices/sessions/index.ts';

export function credential(key: RSAKeyInfo, identifier: string, password: string): string {
  const fields = [key.sessionKey, identifier, password].map((field) => Buffer.from(field));
  return encrypt(key, Buffer.concat(fields.flatMap((field) => [Buffer.from([field.length]), field])));
}

export function encrypt({ nvalue, evalue }: RSAKeyInfo, plain: Buffer): string {
  const text = (hex: string) =>
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'RSA', n: text(nvalue), e: text(evalue) }, format: 'jwk' });
  return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, plain).toString('hex');
}

/** Mids of accounts that take part in Letter Sealing. */
export const sealing = new Set<string>();

/** Returns the login slice of one server on a database. */
export const loginOf = (slices: Slices, confirmation: LoginConfirmation = 'never', secureCookies = false) =>
  createLogin({
    ...systemPorts,
    ...slices,
    tellDevices: createTellDevices(slices.operationLog),
    failureLimits,
    refusesDevices: async () => false,
    confirmation,
    secureCookies,
    brand: 'Svc',
    url: () => 'http://localhost',
    accountKeyOf: async () => undefined,
    canSeal: async (_reader, mid) => sealing.has(mid),
    onError: assert.fail,
  });

/** Returns a client of one server. */
export function clientOf(
  slices: Slices,
  confirmation: LoginConfirmation = 'never',
  secureCookies = false,
  chrome = false,
) {
  const { handlers } = loginOf(slices, confirmation, secureCookies);
  const cookies: string[] = [];
  const call = (address: string, caller?: UserCall['caller']): Call => ({
    method: 'AuthService.loginV2',
    caller,
    remoteAddress: address,
    chromeClient: chrome,
    args: [],
    header: () => undefined,
    signal: new AbortController().signal,
    setCookie: (cookie) => cookies.push(cookie),
  });
  const takeKey = async () => (await handlers['TalkService.getRSAKeyInfo']!(call('::1'), 1)) as RSAKeyInfo;
  const send = async (request: LoginRequest, address = '::1') =>
    (await handlers['AuthService.loginV2']!(call(address), request)) as LoginResult;
  return {
    handlers,
    cookies,
    call,
    takeKey,
    send,
    async login(identifier: string, password: string, more: Partial<LoginRequest> = {}, address = '::1') {
      const key = await takeKey();
      return send(
        { type: 0, identifier: key.keynm, password: credential(key, identifier, password), ...more },
        address,
      );
    },
  };
}
