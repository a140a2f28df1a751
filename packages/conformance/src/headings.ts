// The topic of each endpoint, and the heading of each topic in the specification.
import type { HttpEndpointName, MethodName } from '@sealpost/contract';
import { methodOf, type TopicName, topics } from '@sealpost/contract/schemas';

interface Topic {
  readonly topic: string;
  readonly heading: string;
}

const headings: Readonly<Record<TopicName, string>> = {
  login: 'Login and identity',
  messaging: 'Messaging',
  contacts: 'Contacts, relations, buddies',
  chats: 'Groups, chats, rooms',
  profile: 'Profile, settings, configuration',
  sealing: 'End-to-end encryption keys',
  'key-log': 'End-to-end encryption keys',
  'key-backup': 'End-to-end encryption keys',
  push: 'Operation stream, long polls, notices',
  stickers: 'Channel token, sticker shop',
  sync: 'Operation stream, long polls, notices',
  devices: 'States and transitions',
  'own-account': 'Login and identity',
};

const methodTopics = Object.fromEntries(
  Object.entries(topics).flatMap(([topic, methods]) =>
    Object.keys(methods).map((name) => [name, { topic, heading: headings[topic as TopicName] }]),
  ),
) as Readonly<Record<MethodName, Topic>>;

const beyond = (origin: string): string => `none: an endpoint beyond the specification (${origin})`;
const pictures: Topic = { topic: 'stickers', heading: beyond('compatibility') };
const timeline: Topic = { topic: 'timeline', heading: beyond('compatibility') };
const objects: Topic = { topic: 'media', heading: 'Object storage' };
const streamAndPolls = (topic: string): Topic => ({ topic, heading: 'Operation stream, long polls, notices' });

const httpTopics: Readonly<Record<HttpEndpointName, Topic>> = {
  tokenRefresh: { topic: 'login', heading: 'Login and identity' },
  operationReceive: streamAndPolls('sync'),
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

export const httpTopicOf = (name: HttpEndpointName): Topic => httpTopics[name];

export function topicOf(method: MethodName): Topic {
  const { origin } = methodOf(method);
  const { topic, heading } = methodTopics[method];
  return { topic, heading: origin ? beyond(origin) : heading };
}
