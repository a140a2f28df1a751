// The limits that the server sends to its clients (specification: getConfigurations). The defaults are the limits of
// the contract.
import { clientLimits } from '@sealpost/contract';
import type { BaseClient } from '../base-client.ts';

/** The keys of the configuration map, and the limits that they give. */
const keys = {
  'function.limit.sync.messageboxes': 'syncMessageBoxes',
  'limit.sync.messages': 'syncMessages',
  'limit.sync.contacts': 'midsPerCall',
  'limit.sync.groups': 'midsPerCall',
  'limit.text.length': 'textLength',
  'limit.chat.members': 'chatMembers',
  'limit.chat.name': 'chatName',
  'limit.profile.displayname': 'displayName',
  'limit.profile.statusmessage': 'statusMessage',
  'limit.unsend.window.millis': 'unsendWindowMs',
} as const satisfies Record<string, keyof typeof clientLimits>;

export type ClientLimits = Readonly<Record<(typeof keys)[keyof typeof keys], number>>;

/** Reads the limits from the server. A value that is missing or not a number gets the default. */
export async function readLimits(client: BaseClient): Promise<ClientLimits> {
  const { configMap } = await client.TalkService.getConfigurations();
  const told = Object.entries(keys).map(([key, name]) => {
    const value = Number(configMap[key]);
    return [name, value > 0 ? value : clientLimits[name].value] as const;
  });
  return Object.fromEntries(told) as ClientLimits;
}
