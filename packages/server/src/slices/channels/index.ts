// Channels: the exports of the slice.
export { type Channels, type ChannelsDeps, createChannels, forgetHome, isCover } from './channels.ts';
export { coverOf } from './queries.ts';
