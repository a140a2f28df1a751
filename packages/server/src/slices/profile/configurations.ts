// getConfigurations: the limits that clients follow. The server enforces the same numbers, except that it allows larger
// pages.
import type { Configurations, LimitName, Limits } from '@sealpost/contract';

/** Limits by their key in the configuration map. */
const limitKeys = {
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
} as const satisfies Record<string, LimitName>;

export function configurationsFrom(limits: Limits): Configurations {
  const entries = Object.entries(limitKeys).map(([key, name]) => [key, String(limits[name].value)]);
  return { revision: '1', configMap: Object.fromEntries(entries) };
}
