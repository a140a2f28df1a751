// Topics of the operations, and where the specification has them.
import type { HttpOperationName, MethodName } from '@sealpost/contract';
import {
  chats,
  contacts,
  keyBackup,
  keyLog,
  keys,
  login,
  messaging,
  methodOf,
  primaryDevice,
  profile,
  shop,
  sync,
} from '@sealpost/contract/schemas';

interface Topic {
  readonly topic: string;
  readonly heading: string;
}

const of = <M extends object>(methods: M, topic: string, heading: string): { readonly [N in keyof M]: Topic } =>
  Object.fromEntries(Object.keys(methods).map((name) => [name, { topic, heading }])) as { [N in keyof M]: Topic };

/** The compiler tells when a group of the contract is missing here. */
const methodTopics: Readonly<Record<MethodName, Topic>> = {
  ...of(login, 'login', 'Login and identity'),
  ...of(messaging, 'messaging', 'Messaging'),
  ...of(contacts, 'contacts', 'Contacts, relations, buddies'),
  ...of(chats, 'chats', 'Groups, chats, rooms'),
  ...of(profile, 'profile', 'Profile, settings, configuration'),
  ...of(keys, 'keys', 'End-to-end encryption keys'),
  ...of(keyLog, 'key-log', 'End-to-end encryption keys'),
  ...of(keyBackup, 'key-backup', 'End-to-end encryption keys'),
  ...of(shop, 'shop', 'Channel token, sticker shop'),
  ...of(sync, 'stream', 'Operation stream, long polls, notices'),
  ...of(primaryDevice, 'devices', 'States and transitions'),
};

const beyond = (origin: string): string => `none: an operation beyond the specification (${origin})`;
const pictures: Topic = { topic: 'shop', heading: beyond('compatibility') };
const timeline: Topic = { topic: 'timeline', heading: beyond('compatibility') };
const objects: Topic = { topic: 'media', heading: 'Object storage' };
const streamAndPolls = (topic: string): Topic => ({ topic, heading: 'Operation stream, long polls, notices' });

const httpTopics: Readonly<Record<HttpOperationName, Topic>> = {
  tokenRefresh: { topic: 'login', heading: 'Login and identity' },
  operationReceive: streamAndPolls('stream'),
  longPollLF1: streamAndPolls('login'),
  longPollJQ: streamAndPolls('login'),
  notices: streamAndPolls('notices'),
  uploadProfile: objects,
  copyForMessage: objects,
  stickerPicture: pictures,
  stickerAnimation: pictures,
  stickerSound: pictures,
  sticonPicture: pictures,
  homeId: timeline,
  getCover: timeline,
  updateCover: timeline,
  directObject: objects,
  objectInfo: objects,
  playback: objects,
};

export const httpTopicOf = (name: HttpOperationName): Topic => httpTopics[name];

export function topicOf(method: MethodName): Topic {
  const { origin } = methodOf(method);
  const { topic, heading } = methodTopics[method];
  return { topic, heading: origin ? beyond(origin) : heading };
}
