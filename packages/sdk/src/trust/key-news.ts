// What the stream tells about keys.
import { type Operation, operationTypes } from '@sealpost/contract';

export interface KeyNews {
  /** Whose key is new; undefined: one of the own account, registered by one of its sessions. */
  readonly mid: string | undefined;
  readonly keyId: number;
}

/** The new key in an operation; undefined if it is about something else. */
export function keyNewsOf({
  type,
  param1,
  param2,
}: Pick<Operation, 'type' | 'param1' | 'param2'>): KeyNews | undefined {
  if (type === operationTypes.REGISTER_E2EE_PUBLICKEY) return newsOf(undefined, param1);
  if (type === operationTypes.NOTIFIED_E2EE_KEY_UPDATE && param1) return newsOf(param1, param2);
  return undefined;
}

function newsOf(mid: string | undefined, id: string | undefined): KeyNews | undefined {
  const keyId = Number(id);
  return Number.isSafeInteger(keyId) && keyId > 0 ? { mid, keyId } : undefined;
}
