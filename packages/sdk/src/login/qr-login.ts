// Login by QR code: this device shows a code, and a device that is logged in scans it (specification: States and
// transitions).
import type { MethodResult } from '@sealpost/contract';
import { createKeyPair, type KeyPair, toBase64 } from '@sealpost/crypto';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { ClientPorts } from '../gateway/ports.ts';
import type { Session } from '../gateway/session.ts';
import { LoginError } from './login-error.ts';
import { longPoll, pollOf } from './long-poll.ts';
import { readQrCode } from './qr-code.ts';
import { type ReceivedKeys, receiveKeys, sealedChainOf, toldKeyOf, wordsFor } from './received-keys.ts';

export interface QrLoginOptions {
  /**
   * The certificate of an earlier login of this device. With a certificate, the login needs no PIN and brings no keys.
   */
  readonly certificate?: string;
  /** The name of this login in the list of sessions. */
  readonly systemName?: string;
  readonly modelName?: string;
  /** Aborts the login. */
  readonly signal?: AbortSignal;
}

/**
 * The steps of a QR login, in this order. `pin` and `verified` happen only if the certificate does not replace the PIN.
 */
export type QrLoginStep =
  /** The address that this device must show as a QR code. */
  | { readonly kind: 'qr'; readonly url: string; readonly loginId: string }
  /** Another device has scanned the code and confirmed the login. */
  | { readonly kind: 'scanned' }
  /**
   * The PIN and the words to show. The user types the PIN on the device that scanned the code. That device must show
   * the same words before it hands over keys. If there are no words, the account has no keys.
   */
  | { readonly kind: 'pin'; readonly pinCode: string; readonly words?: string }
  | { readonly kind: 'verified' }
  | ({ readonly kind: 'done'; readonly session: Session } & ReceivedKeys);

const MS = 1_000;

type Poll = 'checkQrCodeVerified' | 'checkPinCodeVerified';

export async function* qrLogin(
  gateway: Gateway,
  ports: ClientPorts,
  options: QrLoginOptions & { readonly signal: AbortSignal },
): AsyncGenerator<QrLoginStep, void, undefined> {
  const device = createKeyPair();
  const systemName = options.systemName ?? 'sealpost-sdk';
  // The other device shows this name before it approves the login, but the login has a field for the name only in its
  // last step. So the name is also sent here, as User-Agent. Browsers send their own User-Agent instead.
  const introduction = { headers: { 'User-Agent': systemName } };
  const { authSessionId } = await gateway.poll(introduction, 'SecondaryQrCodeLoginService.createSession', {});
  const request = { authSessionId };
  const code = await gateway.anonymous('SecondaryQrCodeLoginService.createQrCode', request);
  const url = withKey(code.callbackUrl, device);
  yield { kind: 'qr', url, loginId: readQrCode(url).loginId };

  async function waitFor(poll: Poll): Promise<void> {
    const { signal } = options;
    const { longPollingIntervalSec, longPollingMaxCount: windows } = code;
    const method = `SecondaryQrCodeLoginPermitNoticeService.${poll}` as const;
    const rest = pollOf(gateway, authSessionId, longPollingIntervalSec * MS, signal);
    const answer = await longPoll(ports, { elapsed: 'POLL_GONE', windows, signal }, () =>
      gateway.poll(rest, method, request),
    ).catch((error: unknown) => {
      throw isOver(error) ? tooLate(error) : error;
    });
    if (!answer) throw tooLate();
  }

  await waitFor('checkQrCodeVerified');
  yield { kind: 'scanned' };
  let told: Uint8Array | undefined;
  if (!(await certificateIsGood(gateway, authSessionId, options.certificate ?? ''))) {
    const { pinCode, accountKey } = await gateway.anonymous('SecondaryQrCodeLoginService.createPinCode', request);
    told = toldKeyOf(accountKey);
    const words = wordsFor(device, told);
    yield { kind: 'pin', pinCode, ...(words === undefined ? {} : { words }) };
    await waitFor('checkPinCodeVerified');
    yield { kind: 'verified' };
  }
  const result = await gateway.anonymous('SecondaryQrCodeLoginService.qrCodeLoginV2', {
    authSessionId,
    systemName,
    modelName: options.modelName ?? '',
    autoLoginIsRequired: false,
  });
  const received = await receiveKeys(device, sealedChainOf(result.metaData), told);
  yield { kind: 'done', session: sessionOf(result), ...received };
}

/**
 * Returns the address with this device's public key. The code brings the key to the other device without passing the
 * server.
 */
function withKey(callbackUrl: string, device: KeyPair): string {
  const secret = encodeURIComponent(toBase64(device.publicKey));
  return `${callbackUrl}${callbackUrl.includes('?') ? '&' : '?'}secret=${secret}&e2eeVersion=1`;
}

/**
 * Asks whether the certificate replaces the PIN. The call is made even without a certificate: the server ends a login
 * that leaves out a step.
 */
async function certificateIsGood(gateway: Gateway, authSessionId: string, certificate: string): Promise<boolean> {
  try {
    await gateway.anonymous('SecondaryQrCodeLoginService.verifyCertificate', { authSessionId, certificate });
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.error === 'QR_VERIFICATION_FAILED') return false;
    throw error;
  }
}

const isOver = (error: unknown): boolean => error instanceof GatewayError && error.error === 'QR_INVALID_CONTEXT';

const tooLate = (cause?: unknown): LoginError =>
  new LoginError('refused', 'the login was refused on the other device, or nobody confirmed it in time: start again', {
    cause,
  });

type QrCodeLoginResult = MethodResult<'SecondaryQrCodeLoginService.qrCodeLoginV2'>;

function sessionOf({ mid, certificate, tokenV3IssueResult: tokens }: QrCodeLoginResult): Session {
  // Some servers send the mid only inside the token, which clients do not read.
  if (!mid) throw new LoginError('unsupported', 'login failed: the answer has no mid');
  return { mid, certificate, tokens };
}
