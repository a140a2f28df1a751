// The settings of the account, by the names of their fields. The attribute numbers come from the contract's table.
import {
  type Settings,
  type SettingsFieldName,
  type SettingsUpdate,
  settingsAttributes,
  settingsFields,
} from '@sealpost/contract';
import type { RpcClient } from '../rpc-client.ts';

export class AccountSettings {
  readonly #rpc: Pick<RpcClient, 'TalkService' | 'nextReqSeq'>;

  constructor(rpc: Pick<RpcClient, 'TalkService' | 'nextReqSeq'>) {
    this.#rpc = rpc;
  }

  /** Reads all settings from the server. The replica has them without a call. */
  all(): Promise<Settings> {
    return this.#rpc.TalkService.getSettings();
  }

  /** Reads some settings from the server. */
  get<N extends SettingsFieldName>(...names: readonly N[]): Promise<Pick<Settings, N>> {
    return this.#rpc.TalkService.getSettingsAttributes2(names.map(attributeOf));
  }

  /** Changes settings. Fields that are not given, or undefined, stay as they are. */
  async set(changes: SettingsUpdate): Promise<void> {
    const given = fieldNames.filter((name) => changes[name] !== undefined);
    if (given.length === 0) return;
    const { TalkService, nextReqSeq } = this.#rpc;
    await TalkService.updateSettingsAttributes2(nextReqSeq(), given.map(attributeOf), changes);
  }
}

const fieldNames = Object.keys(settingsFields) as SettingsFieldName[];
const attributeOf = (name: SettingsFieldName): number => settingsAttributes[settingsFields[name].attribute];
