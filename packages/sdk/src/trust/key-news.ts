// Reads news about keys from operations of the stream.
import { type Operation, operationTypes } from '@sealpost/contract';

export interface KeyNews {
  /** The mid of the user with a new key; undefined if a session of this account registered the key. */
  readonly mid: string | undefined;
  readonly keyId: number;
}

/** Returns the new key in an operation; undefined if the operation is about something else. */
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
