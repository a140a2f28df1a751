// Bounds the memory that large answers take while clients do not read them. An answer waits in memory until its client
// has read it, so a client that asks and never reads could fill the memory.
import type { ServerResponse } from 'node:http';
import { createUnread } from '../stream/unread.ts';
import { writeAnswer } from './write-answer.ts';

/** Smaller answers are not counted, because the operating system takes them at once. */
const LARGE = 64 * 1024;
/** How long a client may take no byte of a large answer. */
const PATIENCE_MS = 30_000;

export interface UnreadAnswers {
  /** Writes an answer with status 200, and counts its bytes until its client has read it or is gone. */
  write(response: ServerResponse, body: string, extra: readonly string[]): void;
}

/**
 * @param mostBytes how much all clients together may leave unread; beyond it, those that left most are disconnected
 * @param patienceMs the time without progress after which a client is disconnected
 */
export function createUnreadAnswers(mostBytes: number, patienceMs = PATIENCE_MS): UnreadAnswers {
  const unread = createUnread<Answer>(mostBytes, ({ response }) => response.destroy());
  return {
    write(response, body, extra) {
      writeAnswer(response, 200, body, extra);
      if (body.length < LARGE || response.writableLength === 0) return;
      const answer = { response, sink: { unread: () => unreadBytes(response) } };
      unread.note(answer, unreadBytes(response));
      // Node disconnects a client after this time without progress, because nobody listens for `timeout`.
      response.setTimeout(patienceMs);
      response.once('close', () => unread.note(answer, 0));
    },
  };
}

interface Answer {
  readonly response: ServerResponse;
  readonly sink: { unread(): number };
}

const unreadBytes = ({ socket, destroyed }: ServerResponse): number =>
  destroyed || !socket ? 0 : socket.writableLength;
