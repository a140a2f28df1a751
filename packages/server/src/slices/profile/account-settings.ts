import type { Settings } from '@sealpost/contract';
import type { Reader, Tx } from '../../platform/store/store.ts';
import { deleteSettings, deviceRefusal, settingsOfAccount } from './queries.ts';
import { settingsFrom } from './settings-defaults.ts';

/** Returns all settings of an account; undefined if there is no such account. */
export async function settingsOf(reader: Reader, accountId: number): Promise<Settings | undefined> {
  const row = await reader.one(settingsOfAccount, accountId);
  return row && settingsFrom(row);
}

/** Returns whether an account's settings refuse further devices. */
export const refusesDevices = async (reader: Reader, accountId: number): Promise<boolean> =>
  (await reader.one(deviceRefusal, accountId))?.refuse_devices === 1;

/** Removes the settings of a deleted account. */
export const forgetSettings = (tx: Tx, accountId: number): Promise<void> => tx.run(deleteSettings, accountId);
