// Confirms logins of new devices from a device that is logged in, and lists the sessions of the account.
import { type KeyChainHandover, loginTypes, type PendingLogin, type Session as SessionEntry } from '@sealpost/contract';
import {
  fromBase64,
  type KeyChainEntry,
  loginWords,
  OpenError,
  openLoginSecret,
  sameLoginWords,
} from '@sealpost/crypto';
import type { Gateway } from '../gateway/calls.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { KeyStore } from '../key-store/key-store.ts';
import { LoginError } from '../login/login-error.ts';
import { readQrCode } from '../login/qr-code.ts';
import { handoverOf, newestOf } from '../login/received-keys.ts';

/** The keys that a new device would get, and the words that its screen must show. */
export interface KeyOffer {
  /** The ids of the keys. A device that has these keys can read everything that was sealed for them. */
  readonly keyIds: readonly number[];
  /** Words derived from the key of the new device and the newest key of the account. */
  readonly words: string;
}

/** The PIN and the words that the user reads on the screen of the new device. */
export interface DeviceScreen {
  readonly pinCode?: string | undefined;
  /**
   * The words on the new device's screen. The keys are handed over only if these words equal the words of the offer.
   */
  readonly words?: string | undefined;
}

export interface Devices {
  /** Returns the logins to this account that wait for a confirmation. */
  pending(): Promise<PendingLogin[]>;
  /**
   * Reads the address in a QR code, and binds that login to this account. The new device gets no access yet: show the
   * returned login to the user.
   */
  scan(url: string): Promise<PendingLogin>;
  /**
   * Returns the keys that an approval would hand over, and the words that the new device must show. `to` is the address
   * in a QR code, or a credential login. For a credential login, the PIN decrypts the public key of the new device.
   * Returns undefined if the login asks for no keys, or this device has none. Show the whole offer before asking the
   * user.
   * @throws LoginError of kind `pin` if nothing that the PIN decrypts can be a key. This is not certain: three of four
   * wrong PINs yield a wrong key, which gives other words.
   */
  offer(to: string | PendingLogin, pinCode?: string): Promise<KeyOffer | undefined>;
  /**
   * Confirms a login. A credential login needs the PIN on the new device's screen. A credential login that asks for
   * keys also needs the words, and its approval hands over the keys. After the approval of a QR login without a
   * certificate, the new device shows a PIN. Pass that PIN to `submitPin`.
   * @throws LoginError of kind `pin` if the PIN is wrong; `unsafe` if the words are missing or differ from the offer
   */
  approve(login: PendingLogin, shown?: DeviceScreen): Promise<void>;
  /**
   * Sends the PIN that the device of a QR login shows.
   * @param login the address in the code, or the login id. Keys are handed over only with the address and the words.
   * @throws LoginError of kind `pin` if the PIN is wrong; `unsafe` if the words differ from the offer
   */
  submitPin(login: string, shown: DeviceScreen): Promise<void>;
  /** Refuses the login of a device. */
  deny(loginId: string): Promise<void>;
  /** Returns the sessions of this account, including the current one. */
  sessions(): Promise<SessionEntry[]>;
  rename(loginSessionId: string, name: string): Promise<void>;
  /** Ends a session at once. */
  revoke(loginSessionId: string): Promise<void>;
  revokeOthers(): Promise<void>;
}

const PIN = /^\d{6}$/;

export function devicesOn(gateway: Gateway, keyStore: KeyStore): Devices {
  /**
   * Returns the account's keys on this device. Throws if the newest key is not among them, because the new device
   * expects that key.
   */
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

  /** Returns the keys sealed for a new device. Throws if the user did not type the words that this device computed. */
  async function handover(deviceKey: Uint8Array, typed: string | undefined): Promise<KeyChainHandover | undefined> {
    const keys = await ownKeys();
    const offer = offerOf(keys, deviceKey);
    if (offer && (typed === undefined || !sameLoginWords(offer.words, typed))) throw otherWords(typed);
    return handoverOf(keys, deviceKey);
  }

  async function approveWithKeys(login: PendingLogin, { pinCode = '', words }: DeviceScreen): Promise<void> {
    const e2ee = await handover(await keyUnderPin(login, pinCode), words);
    if (!e2ee) {
      throw new Error('this device has no keys of the account, and the new one asks for them: approve on one that has');
    }
    // The PIN is not sent to the server. If the server knew the PIN, it could encrypt its own key with the PIN, and ask
    // for the account's keys once more.
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
      await pinChecked(gateway.call('PrimaryDeviceService.approveLogin', { loginId: login.loginId, ...pin }));
    },
    async submitPin(login, { pinCode = '', words }) {
      const deviceKey = keyInCode(login);
      const e2ee = deviceKey && words !== undefined ? await handover(deviceKey, words) : undefined;
      const loginId = login.includes('/') ? readQrCode(login).loginId : login;
      const request = { loginId, pinCode, ...(e2ee ? { e2ee } : {}) };
      await pinChecked(gateway.call('PrimaryDeviceService.submitPinCode', request));
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

/** Opens the secret of a credential login with the PIN, and returns the new device's public key. */
function keyUnderPin({ secret }: PendingLogin, pinCode: string): Promise<Uint8Array> {
  if (!PIN.test(pinCode)) throw new LoginError('pin', 'the PIN must be the six digits that the new device shows');
  if (!secret) throw new LoginError('unsafe', 'the login asks for keys and has no secret to find its key in');
  return pinChecked(openLoginSecret(pinCode, secret));
}

/** Waits for work that needs the right PIN. Throws a LoginError of kind `pin` if the PIN is wrong. */
async function pinChecked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const refused = error instanceof GatewayError && error.error === 'INVALID_PIN_CODE';
    if (!refused && !(error instanceof OpenError)) throw error;
    throw new LoginError('pin', 'the PIN is not the one that the new device shows', { cause: error });
  }
}

/**
 * Returns the public key in a scanned code. The key never comes from the server's data about the login, because the
 * server could replace it with its own key.
 */
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
