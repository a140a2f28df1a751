// Which messages a report of a chat has.
import { contentTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';

const MOST = 20;

/** Returns the newest messages of others, without what the server itself says. */
export const reportableMessages = (messages: readonly StoredMessage[], me: string): StoredMessage[] =>
  messages.filter(({ from, contentType }) => from !== me && contentType !== contentTypes.CHATEVENT).slice(-MOST);
