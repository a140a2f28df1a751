// The primary device's half of logins, and the sessions of the account.
import {
  loginTypes,
  type Operation,
  operationTypes,
  type PendingLogin,
  type Session as SessionEntry,
} from '@sealpost/contract';
import { fromBase64, KEY_LENGTH, openLoginSecret } from '@sealpost/crypto';
import type { Gateway } from './calls.ts';
import type { KeyStore } from './key-store/key-store.ts';
import { handoverOf } from './received-keys.ts';

/** A login whose QR code was scanned: with the key of the new device, which only the code tells. */
export interface ScannedLogin extends PendingLogin {
  /** Base64; absent if the code has none. */
  readonly publicKey?: string;
}

export interface Devices {
  /** Devices that want to log in to this account. */
  pending(): Promise<PendingLogin[]>;
  /** Reads the address in a QR code and binds that login to this account. Grants nothing yet: show what it answers. */
  scan(url: string): Promise<ScannedLogin>;
  /**
   * Lets a device in and hands it the keys of the key store. A credential login needs the PIN that it shows. A QR
   * login goes on with the PIN that it shows next, by `submitPin`, unless it has a certificate.
   */
  approve(login: PendingLogin | ScannedLogin, pinCode?: string): Promise<void>;
  /** Gives the PIN that a QR login shows. */
  submitPin(loginId: string, pinCode: string): Promise<void>;
  /** Refuses a device. */
  deny(loginId: string): Promise<void>;
  /** Sessions of this account, this one included. */
  sessions(): Promise<SessionEntry[]>;
  rename(loginSessionId: string, name: string): Promise<void>;
  /** Ends a session at once. */
  revoke(loginSessionId: string): Promise<void>;
  revokeOthers(): Promise<void>;
}

export function createDevices(gateway: Gateway, keyStore: KeyStore): Devices {
  async function approve(login: PendingLogin | ScannedLogin, pinCode?: string): Promise<void> {
    const mid = gateway.session.current?.mid;
    const keys = mid === undefined ? [] : await keyStore.ownKeys(mid);
    if (keys.length === 0 && isSealed(login)) {
      throw new Error('this device has no keys of the account, and the new one asks for them: approve on one that has');
    }
    const publicKey = keys.length === 0 ? undefined : await publicKeyOf(login, pinCode);
    const e2ee = publicKey && (await handoverOf(keys, publicKey));
    await gateway.call('PrimaryDeviceService.approveLogin', {
      loginId: login.loginId,
      ...(pinCode === undefined ? {} : { pinCode }),
      ...(e2ee ? { e2ee } : {}),
    });
  }

  return {
    pending: () => gateway.call('PrimaryDeviceService.getPendingLogins'),
    async scan(url) {
      const { authSessionId, publicKey } = readQrCode(url);
      const login = await gateway.call('PrimaryDeviceService.scanQrCode', { authSessionId });
      return publicKey === undefined ? login : { ...login, publicKey };
    },
    approve,
    async submitPin(loginId, pinCode) {
      await gateway.call('PrimaryDeviceService.submitPinCode', { loginId, pinCode });
    },
    async deny(loginId) {
      await gateway.call('PrimaryDeviceService.denyLogin', { loginId });
    },
    sessions: () => gateway.call('PrimaryDeviceService.getSessions'),
    async rename(loginSessionId, name) {
      await gateway.call('PrimaryDeviceService.renameSession', { loginSessionId, name });
    },
    async revoke(loginSessionId) {
      await gateway.call('PrimaryDeviceService.revokeSession', { loginSessionId });
    },
    async revokeOthers() {
      await gateway.call('PrimaryDeviceService.revokeOtherSessions');
    },
  };
}

const isSealed = (login: PendingLogin): boolean => login.loginType === loginTypes.ID_CREDENTIAL_WITH_E2EE;

/** The key to seal for: of the QR code, or under the PIN of a credential login. */
async function publicKeyOf(login: PendingLogin | ScannedLogin, pinCode = ''): Promise<Uint8Array | undefined> {
  if ('publicKey' in login && login.publicKey !== undefined) return fromBase64(login.publicKey);
  if (!isSealed(login) || !login.secret) return undefined;
  return openLoginSecret(pinCode, login.secret);
}

/** The two things in a login's QR code: which login, and the key of the device that shows it. */
export function readQrCode(url: string): { authSessionId: string; publicKey?: string } {
  const parsed = URL.parse(url);
  const authSessionId = parsed?.pathname.split('/').at(-1) ?? '';
  if (!parsed || authSessionId === '') throw new RangeError(`"${url}" is not the address in a QR code of a login`);
  const secret = parsed.searchParams.get('secret');
  return secret !== null && isPublicKey(secret) ? { authSessionId, publicKey: secret } : { authSessionId };
}

function isPublicKey(text: string): boolean {
  try {
    return fromBase64(text).length === KEY_LENGTH;
  } catch {
    return false;
  }
}

/** What the stream tells about devices of the account. */
export interface DeviceNews {
  readonly kind:
    | 'pending'
    | 'approved'
    | 'denied'
    | 'failed'
    | 'revoked'
    | 'backup-stored'
    | 'backup-read'
    | 'backup-deleted';
  /** Login id; for `revoked` and the backup of keys the login session id; for `failed` how many wrong passwords came within a day. */
  readonly id: string;
  /** The login or the session, as far as the server tells it. */
  readonly about: Partial<PendingLogin & SessionEntry>;
}

const kinds: readonly string[] = [
  'pending',
  'approved',
  'denied',
  'failed',
  'revoked',
  'backup-stored',
  'backup-read',
  'backup-deleted',
];

/** The news in an operation; undefined if it is about something else. */
export function deviceNewsOf({ type, param1, param2, param3 }: Operation): DeviceNews | undefined {
  if (type !== operationTypes.SEND_ENCRYPTED_E2EE_KEY_REQUESTED || !param1 || !kinds.includes(param1)) return undefined;
  const about = (param3 ? JSON.parse(param3) : {}) as DeviceNews['about'];
  return { kind: param1 as DeviceNews['kind'], id: param2 ?? '', about };
}
