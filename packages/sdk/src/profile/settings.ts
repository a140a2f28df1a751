// The settings of the account, by the names of their fields.
import type { Settings, SettingsFieldName, SettingsUpdate } from '@sealpost/contract';
import { loaded } from '../deferred.ts';
import type { RpcClient } from '../rpc-client.ts';

export class AccountSettings {
  readonly #rpc: Pick<RpcClient, 'TalkService' | 'nextReqSeq'>;

  constructor(rpc: Pick<RpcClient, 'TalkService' | 'nextReqSeq'>) {
    this.#rpc = rpc;
  }

  /** Reads all settings from the server. The replica also has the settings, and needs no call to read them. */
  all(): Promise<Settings> {
    return this.#rpc.TalkService.getSettings();
  }

  /** Reads some settings from the server. */
  async get<N extends SettingsFieldName>(...names: readonly N[]): Promise<Pick<Settings, N>> {
    const { attributeOf } = await numbers();
    return this.#rpc.TalkService.getSettingsAttributes2(names.map(attributeOf));
  }

  /** Changes settings. Fields that are not given, or undefined, do not change. */
  async set(changes: SettingsUpdate): Promise<void> {
    const { attributeOf, fieldNames } = await numbers();
    const given = fieldNames.filter((name) => changes[name] !== undefined);
    if (given.length === 0) return;
    const { TalkService, nextReqSeq } = this.#rpc;
    await TalkService.updateSettingsAttributes2(nextReqSeq(), given.map(attributeOf), changes);
  }
}

const numbers = () => loaded(import('./setting-numbers.ts'));
