import type { Reader, Tx } from '../../platform/store/store.ts';
import { deleteSettings, deviceRefusal } from './queries.ts';

/** Whether an account lets no further devices in. */
export const refusesDevices = async (reader: Reader, accountId: number): Promise<boolean> =>
  (await reader.one(deviceRefusal, accountId))?.refuse_devices === 1;

/** What an account that is deleted had set goes with it. */
export const forgetSettings = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteSettings, accountId);
