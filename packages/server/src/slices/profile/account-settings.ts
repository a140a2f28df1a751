import type { Reader, Tx } from '../../platform/store/store.ts';
import { deleteSettings, deviceRefusal } from './queries.ts';

/** Returns whether an account's settings refuse further devices. */
export const refusesDevices = async (reader: Reader, accountId: number): Promise<boolean> =>
  (await reader.one(deviceRefusal, accountId))?.refuse_devices === 1;

/** Removes the settings of a deleted account. */
export const forgetSettings = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteSettings, accountId);
