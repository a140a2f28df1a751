// QR login: the calls of the new device. Each call names the login by its authSessionId, which only the new device
// knows. The QR code contains the login id instead. Steps out of order are refused, so that no confirmation can be
// skipped. The order is scan, confirmation, certificate, and a PIN if the certificate is not valid.
import { ApiError, brandHeader, limits, loginTypes } from '@sealpost/contract';
import type { CreateQrCodeResult, QrCodeLoginRequest, QrCodeLoginResult } from '@sealpost/contract/schemas';
import type { Call, Handlers } from '../../platform/rpc/call.ts';
import { pollWindow } from '../../platform/rpc/poll-window.ts';
import type { Store, Tx } from '../../platform/store/store.ts';
import { type Certificates, clientKindOf, type Sessions } from '../sessions/index.ts';
import type { AuthSessionIds } from './auth-session-ids.ts';
import { type AccountKeyOf, metadataOf } from './key-chain.ts';
import type { LoginWaiters } from './login-waiters.ts';
import { holdApproved, type OpenSession } from './new-session.ts';
import type { PendingLogins } from './pending-logins.ts';
import type { PinCodes } from './pin-codes.ts';
import type { LoginRow } from './queries.ts';
import { runStep } from './run-step.ts';

export interface QrLoginDeps {
  readonly store: Store;
  readonly pending: PendingLogins;
  readonly waiters: LoginWaiters;
  readonly pinCodes: PinCodes;
  readonly authSessionIds: AuthSessionIds;
  readonly accountKeyOf: AccountKeyOf;
  readonly sessions: Sessions;
  readonly certificates: Certificates;
  readonly openSession: OpenSession;
  /** Called with the access token when a login has finished. */
  readonly entered: (call: Call, accessToken: string) => void;
  /** Returns the address of this server, for the QR code. */
  readonly url: () => string;
  readonly brand: string;
}

/** Path of the page that a QR code points to. */
export const qrPath = '/R/au/lgn/sq/';

/** Number of consecutive long polls that together last as long as one step of a login may take. */
const POLLS = 2;
const POLL_SEC = limits.loginLifeMs.value / 1000 / POLLS;
const MOST_NAME = 200;

const skipped = (reason: string): ApiError => new ApiError('QR_INVALID_CONTEXT', reason);
const tooEarly = (reason: string): ApiError => new ApiError('QR_RETRY_LATER', reason);
const windowOver = (reason: string): ApiError => new ApiError('POLL_GONE', reason);

type Service = 'SecondaryQrCodeLoginService' | 'SecondaryQrCodeLoginPermitNoticeService';
type QrHandlers = Pick<Handlers, Extract<keyof Handlers, `${Service}.${string}`>>;

export function qrLoginHandlers(deps: QrLoginDeps): QrHandlers {
  const { authSessionIds } = deps;

  /** Locks the login and runs one step on it. */
  const step = <T>(authSessionId: string, work: (tx: Tx, row: LoginRow) => Promise<T | ApiError>): Promise<T> =>
    runStep(deps.store, async (tx) => {
      const row = await deps.pending.lock(tx, idOf(authSessionIds, authSessionId));
      if (row?.kind !== 'QR' || row.state === 'denied') throw skipped('the login is unknown or has expired');
      return work(tx, row);
    });

  return {
    'SecondaryQrCodeLoginService.createSession': (call) => begin(deps, call),
    'SecondaryQrCodeLoginService.createQrCode': (_call, { authSessionId }) =>
      step(authSessionId, (tx, row) => showCode(tx, deps, row)),
    'SecondaryQrCodeLoginPermitNoticeService.checkQrCodeVerified': (call, { authSessionId }) =>
      poll(deps, call, authSessionId, codeVerified),
    'SecondaryQrCodeLoginService.verifyCertificate': (call, { authSessionId, certificate }) =>
      step(authSessionId, (tx, row) => verifyCertificate(tx, deps, call, row, certificate)),
    'SecondaryQrCodeLoginService.createPinCode': (_call, { authSessionId }) =>
      step(authSessionId, (tx, row) => createPin(tx, deps, row)),
    'SecondaryQrCodeLoginPermitNoticeService.checkPinCodeVerified': (call, { authSessionId }) =>
      poll(deps, call, authSessionId, pinVerified),
    'SecondaryQrCodeLoginService.qrCodeLoginV2': async (call, request) => {
      const result = await step(request.authSessionId, (tx, row) => enter(tx, deps, call, row, request));
      deps.entered(call, result.tokenV3IssueResult.accessToken);
      return result;
    },
  };
}

/** Returns the login id in an authSessionId. An invalid authSessionId yields the empty id, which no login has. */
const idOf = (ids: AuthSessionIds, authSessionId: string): string => ids.read(authSessionId) ?? '';

const isApproved = (row: LoginRow): boolean => row.state === 'approved' || row.state === 'verified';
const pinWasTyped = (row: LoginRow): boolean => row.state === 'verified' && row.certificate_class === null;
const pinWasMade = (row: LoginRow): boolean => row.pin_mac !== null || pinWasTyped(row);

async function begin({ store, pending, authSessionIds, brand }: QrLoginDeps, call: Call) {
  const application = call.header(brandHeader(brand, 'application').toLowerCase());
  const row = await store.transact((tx) =>
    pending.begin(tx, {
      kind: 'QR',
      login_type: loginTypes.QRCODE,
      state: 'created',
      system_name: nameOf(application?.split('\t')[0]),
      model_name: nameOf(call.header('user-agent')),
      remote_address: call.remoteAddress,
    }),
  );
  return { authSessionId: authSessionIds.make(row.id) };
}

async function showCode(tx: Tx, { pending, url }: QrLoginDeps, row: LoginRow): Promise<CreateQrCodeResult> {
  if (row.state !== 'created' && row.state !== 'waiting') throw skipped('the QR code was scanned already');
  if (row.state === 'created') await pending.save(tx, { ...pending.renewed(row), state: 'waiting' });
  return {
    callbackUrl: `${url()}${qrPath}${row.id}`,
    longPollingIntervalSec: POLL_SEC,
    longPollingMaxCount: POLLS,
  };
}

/** The event that a long poll waits for. */
interface Awaited {
  /** Returns true if the login has reached the step in which this poll is allowed. */
  readonly begun: (row: LoginRow) => boolean;
  readonly done: (row: LoginRow) => boolean;
  /** The field of the login that records that the new device knows the result. */
  readonly checked: 'qr_checked' | 'pin_checked';
}

const codeVerified: Awaited = { begun: (row) => row.state !== 'created', done: isApproved, checked: 'qr_checked' };
const pinVerified: Awaited = { begun: pinWasMade, done: pinWasTyped, checked: 'pin_checked' };

/** Waits until `done` returns true, then records in the login that the new device knows the result. */
async function poll(
  { store, pending, waiters, authSessionIds }: QrLoginDeps,
  call: Call,
  authSessionId: string,
  { begun, done, checked }: Awaited,
): Promise<Record<string, never>> {
  const id = idOf(authSessionIds, authSessionId);
  const read = () => store.read((reader) => pending.find(reader, id));
  const row = await read();
  if (row?.kind !== 'QR' || !(row.state === 'denied' || begun(row))) {
    throw skipped('the login is unknown or has expired, or a step was skipped');
  }
  const found = await waiters.until(id, pollWindow(call, POLL_SEC * 1000), call.signal, async () => {
    const now = await read();
    if (!now || now.state === 'denied') throw windowOver('the login was refused or has expired');
    return done(now) ? now : undefined;
  });
  if (!found) throw windowOver('nothing happened in the time of this poll; poll again');
  if (!found[checked]) {
    await store.transact(async (tx) => {
      const held = await pending.lock(tx, id);
      if (held && done(held)) await pending.save(tx, { ...held, [checked]: 1 });
    });
  }
  return {};
}

/**
 * Verifies a certificate and stores the result in the login. Returns an error if the certificate is not valid; the
 * device must then ask for a PIN.
 */
async function verifyCertificate(
  tx: Tx,
  { pending, certificates }: QrLoginDeps,
  call: Call,
  row: LoginRow,
  certificate: string | undefined,
): Promise<Record<string, never> | ApiError> {
  if (row.state === 'created') throw skipped('the login has no QR code');
  if (!isApproved(row) || row.account_id === null) throw tooEarly('the QR code is not confirmed yet');
  if (!row.qr_checked) throw skipped('checkQrCodeVerified comes before verifyCertificate');
  if (pinWasMade(row)) throw skipped('a PIN was created, so a certificate is no longer accepted');
  const kind = clientKindOf(call);
  const known = await certificates.recognises(tx, row.account_id, kind, certificate);
  const verified = { certificate_class: known ? kind : null, state: known ? 'verified' : 'approved' } as const;
  await pending.save(tx, { ...row, ...verified, certificate_shown: 1 });
  return known ? {} : new ApiError('QR_VERIFICATION_FAILED', 'the certificate is not valid here: ask for a PIN');
}

async function createPin(tx: Tx, { pending, pinCodes, accountKeyOf }: QrLoginDeps, row: LoginRow) {
  if (row.state !== 'approved' || !row.certificate_shown) {
    throw skipped('a PIN follows a confirmed QR code and a certificate that is not valid');
  }
  // A repeated call creates another PIN, but keeps the used-up tries and the expiry time of the first call.
  const begun = row.pin_mac === null ? pending.renewed(row) : row;
  const pinCode = pinCodes.make();
  await pending.save(tx, { ...begun, pin_mac: pinCodes.mac(row.id, pinCode) });
  const accountKey = row.account_id === null ? undefined : await accountKeyOf(tx, row.account_id);
  return { pinCode, ...(accountKey ? { accountKey } : {}) };
}

async function enter(
  tx: Tx,
  deps: QrLoginDeps,
  call: Call,
  row: LoginRow,
  { systemName, modelName }: QrCodeLoginRequest,
): Promise<QrCodeLoginResult | ApiError> {
  const { pending, openSession } = deps;
  if (row.account_id === null || row.state !== 'verified') {
    throw row.pin_mac === null ? skipped('a step was skipped') : tooEarly('the PIN was not typed yet');
  }
  if (row.certificate_class === null && !row.pin_checked) {
    throw skipped('checkPinCodeVerified comes before qrCodeLoginV2');
  }
  const account = await holdApproved(tx, deps, row);
  if (!account) {
    await pending.finish(tx, row.id);
    return new ApiError(
      'QR_NOT_ALLOWED',
      'the account has changed, or the session that approved this login has ended: start again',
    );
  }
  const { mid } = account;
  const { tokens, certificate } = await openSession(tx, {
    accountId: row.account_id,
    mid,
    systemName,
    modelName,
    call,
  }).catch((error: unknown) => {
    throw error instanceof ApiError ? new ApiError('QR_NOT_ALLOWED', error.reason) : error;
  });
  await pending.finish(tx, row.id);
  return {
    certificate,
    metaData: metadataOf(row, call.chromeClient),
    tokenV3IssueResult: tokens,
    mid,
    lastBindTimestamp: '0',
  };
}

const nameOf = (text: string | undefined): string => (text ?? '').trim().slice(0, MOST_NAME);
