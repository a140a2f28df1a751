// Chooses the messages for a report about a chat.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';

const MOST = 20;

/** Returns the newest messages of other people, without the system messages of the server. */
export const reportableMessages = (messages: readonly StoredMessage[], me: string): StoredMessage[] =>
  messages.filter(({ from, contentType }) => from !== me && contentType !== contentTypes.CHATEVENT).slice(-MOST);
