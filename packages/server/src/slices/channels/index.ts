// Channels: tokens for them, and the homes of the timeline that they open (specification: Channel token).
export { type Channels, type ChannelsDeps, createChannels, forgetHome, isCover } from './channels.ts';
