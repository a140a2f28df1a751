// The primary device's half of logins, and the sessions of the account.
import {
  type KeyChainHandover,
  loginTypes,
  type Operation,
  operationTypes,
  type PendingLogin,
  type Session as SessionEntry,
} from '@sealpost/contract';
import {
  fromBase64,
  KEY_LENGTH,
  type KeyChainEntry,
  loginWords,
  openLoginSecret,
  sameLoginWords,
} from '@sealpost/crypto';
import type { Gateway } from './gateway/calls.ts';
import type { KeyStore } from './key-store/key-store.ts';
import { LoginError } from './login/login-error.ts';
import { handoverOf, newestOf } from './login/received-keys.ts';

/** What a new device would get, and the words that its screen must show for that. */
export interface KeyOffer {
  /** Whoever has these keys reads everything that was sealed for them. */
  readonly keyIds: readonly number[];
  /** Made of the key of the new device and the newest key of the account. */
  readonly words: string;
}

/** What the user read on the screen of the new device. */
export interface Shown {
  readonly pinCode?: string | undefined;
  /** Hands over the keys, if these are the words of the offer. */
  readonly words?: string | undefined;
}

export interface Devices {
  /** Devices that want to log in to this account. */
  pending(): Promise<PendingLogin[]>;
  /** Reads the address in a QR code and binds that login to this account. Grants nothing yet: show what it answers. */
  scan(url: string): Promise<PendingLogin>;
  /**
   * Says what would be handed over to the key in a QR code, given by its address, or to the key under the PIN of a
   * credential login. Undefined: no keys are asked for, or none are here. Show all of it before asking the user.
   */
  offer(to: string | PendingLogin, pinCode?: string): Promise<KeyOffer | undefined>;
  /**
   * Lets a device in. A credential login needs the PIN that it shows; one that asks for keys also needs its words, and
   * gets the keys now. A QR login goes on with the PIN that it shows next, by `submitPin`, unless it has a certificate.
   * @throws LoginError of kind `unsafe` if the words are missing or are others
   */
  approve(login: PendingLogin, shown?: Shown): Promise<void>;
  /**
   * Gives the PIN that a QR login shows.
   * @param login the address in the code, or the login id; the address and the words hand over the keys
   * @throws LoginError of kind `unsafe` if the words are others
   */
  submitPin(login: string, shown: Shown): Promise<void>;
  /** Refuses a device. */
  deny(loginId: string): Promise<void>;
  /** Sessions of this account, this one included. */
  sessions(): Promise<SessionEntry[]>;
  rename(loginSessionId: string, name: string): Promise<void>;
  /** Ends a session at once. */
  revoke(loginSessionId: string): Promise<void>;
  revokeOthers(): Promise<void>;
}

const PIN = /^\d{6}$/;

export function createDevices(gateway: Gateway, keyStore: KeyStore): Devices {
  /** The keys of this device, if it has the newest one of the account: the new device expects that one. */
  async function ownKeys(): Promise<readonly KeyChainEntry[]> {
    const mid = gateway.session.current?.mid;
    const keys = mid === undefined ? [] : await keyStore.ownKeys(mid);
    if (keys.length === 0) return [];
    const newest = newestOf(await gateway.call('TalkService.getE2EEPublicKeys'));
    if (newest && newest.keyId > (newestOf(keys)?.keyId ?? 0)) {
      throw new Error(`this device lacks key ${newest.keyId}, the newest of the account: approve on one that has it`);
    }
    return keys;
  }

  const offerOf = (keys: readonly KeyChainEntry[], deviceKey: Uint8Array): KeyOffer | undefined => {
    const newest = newestOf(keys);
    return newest && { keyIds: keys.map(({ keyId }) => keyId), words: loginWords(deviceKey, newest.publicKey) };
  };

  /** The keys sealed for a device, if the user read the right words on it. */
  async function handover(deviceKey: Uint8Array, typed: string | undefined): Promise<KeyChainHandover | undefined> {
    const keys = await ownKeys();
    const offer = offerOf(keys, deviceKey);
    if (offer && (typed === undefined || !sameLoginWords(offer.words, typed))) throw otherWords(typed);
    return handoverOf(keys, deviceKey);
  }

  async function approveWithKeys(login: PendingLogin, { pinCode = '', words }: Shown): Promise<void> {
    const e2ee = await handover(await keyUnderPin(login, pinCode), words);
    if (!e2ee) {
      throw new Error('this device has no keys of the account, and the new one asks for them: approve on one that has');
    }
    // Without the PIN: a server that knew it could ask once more, with a key of its own under the same PIN.
    await gateway.call('PrimaryDeviceService.approveLogin', { loginId: login.loginId, e2ee });
  }

  return {
    pending: () => gateway.call('PrimaryDeviceService.getPendingLogins'),
    scan: (url) => gateway.call('PrimaryDeviceService.scanQrCode', { loginId: readQrCode(url).loginId }),
    async offer(to, pinCode = '') {
      const deviceKey = typeof to === 'string' ? keyInCode(to) : isSealed(to) && (await keyUnderPin(to, pinCode));
      return deviceKey ? offerOf(await ownKeys(), deviceKey) : undefined;
    },
    async approve(login, { pinCode, words } = {}) {
      if (isSealed(login)) return approveWithKeys(login, { pinCode, words });
      const pin = pinCode === undefined ? {} : { pinCode };
      await gateway.call('PrimaryDeviceService.approveLogin', { loginId: login.loginId, ...pin });
    },
    async submitPin(login, { pinCode = '', words }) {
      const deviceKey = keyInCode(login);
      const e2ee = deviceKey && words !== undefined ? await handover(deviceKey, words) : undefined;
      const loginId = login.includes('/') ? readQrCode(login).loginId : login;
      await gateway.call('PrimaryDeviceService.submitPinCode', { loginId, pinCode, ...(e2ee ? { e2ee } : {}) });
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

/** The key of a device that made its own PIN. */
function keyUnderPin({ secret }: PendingLogin, pinCode: string): Promise<Uint8Array> {
  if (!PIN.test(pinCode)) throw new RangeError('the PIN must be the six digits that the new device shows');
  if (!secret) throw new LoginError('unsafe', 'the login asks for keys and has no secret to find its key in');
  return openLoginSecret(pinCode, secret);
}

/** The key in a scanned code; nothing that the server says about a login takes its place. */
function keyInCode(address: string): Uint8Array | undefined {
  const publicKey = address.includes('/') ? readQrCode(address).publicKey : undefined;
  return publicKey === undefined ? undefined : fromBase64(publicKey);
}

const otherWords = (typed: string | undefined): LoginError =>
  new LoginError(
    'unsafe',
    typed === undefined
      ? 'keys are handed over only with the words that the new device shows; if it shows none, refuse it'
      : 'the new device shows other words: the keys would go to somebody else, who could read all messages. Refuse it',
  );

/** The two things in a login's QR code: which login, and the key of the device that shows it. */
export function readQrCode(url: string): { loginId: string; publicKey?: string } {
  const parsed = URL.parse(url);
  const loginId = parsed?.pathname.split('/').at(-1) ?? '';
  if (!parsed || loginId === '') throw new RangeError(`"${url}" is not the address in a QR code of a login`);
  const secret = parsed.searchParams.get('secret');
  return secret !== null && isPublicKey(secret) ? { loginId, publicKey: secret } : { loginId };
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
