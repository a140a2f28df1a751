// News about the devices of the account, from the operations of the stream.
import {
  type DeviceNewsKind,
  deviceNewsKinds,
  type Operation,
  operationTypes,
  type PendingLogin,
  type Session,
} from '@sealpost/contract';

/** A change to the devices of the account, read from an operation of the stream. */
export interface DeviceNews {
  readonly kind: DeviceNewsKind;
  /**
   * For news about a login, the login id. For `revoked` and for backups, the login session id. For `failed`, the number
   * of wrong passwords within a day.
   */
  readonly id: string;
  /** The fields of the login or the session, as far as the server sent them. */
  readonly about: Partial<PendingLogin & Session>;
}

/** Returns the news about devices in an operation; undefined if the operation is about something else. */
export function deviceNewsOf({ type, param1, param2, param3 }: Operation): DeviceNews | undefined {
  const kind = deviceNewsKinds.find((name) => name === param1);
  if (type !== operationTypes.SEND_ENCRYPTED_E2EE_KEY_REQUESTED || kind === undefined) return undefined;
  const about = (param3 ? JSON.parse(param3) : {}) as DeviceNews['about'];
  return { kind, id: param2 ?? '', about };
}
