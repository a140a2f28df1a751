// The settings of the account, by the names of their fields. The attribute numbers come from the contract's table.
import {
  type Settings,
  type SettingsFieldName,
  type SettingsUpdate,
  settingsAttributes,
  settingsFields,
} from '@sealpost/contract';
import type { RpcClient } from '../rpc-client.ts';

export interface AccountSettings {
  /** Reads all settings from the server. The replica has them without a call. */
  all(): Promise<Settings>;
  /** Reads some settings from the server. */
  get<N extends SettingsFieldName>(...names: readonly N[]): Promise<Pick<Settings, N>>;
  /** Changes settings. Fields that are not given, or undefined, stay as they are. */
  set(changes: SettingsUpdate): Promise<void>;
}

export function createSettings({
  TalkService,
  nextReqSeq,
}: Pick<RpcClient, 'TalkService' | 'nextReqSeq'>): AccountSettings {
  return {
    all: () => TalkService.getSettings(),
    get: (...names) => TalkService.getSettingsAttributes2(names.map(attributeOf)),
    async set(changes) {
      const given = fieldNames.filter((name) => changes[name] !== undefined);
      if (given.length === 0) return;
      await TalkService.updateSettingsAttributes2(nextReqSeq(), given.map(attributeOf), changes);
    },
  };
}

const fieldNames = Object.keys(settingsFields) as SettingsFieldName[];
const attributeOf = (name: SettingsFieldName): number => settingsAttributes[settingsFields[name].attribute];
