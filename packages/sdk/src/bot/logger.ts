// Where a bot tells about problems, and in which words. Contents of messages never go there.
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { LoginError } from '../login/login-error.ts';
import { MediaError } from '../media/media-error.ts';
import { SendFailed } from '../outbox/send-failed.ts';
import { SealingError } from '../sealing/reasons.ts';
import { StoreError } from '../store/store.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';

export interface BotLogger {
  /** Something that the operator must know or do at a login. */
  info(text: string): void;
  /** A problem. The error may have contents of messages in its text; the text of the line has none. */
  problem(text: string, error?: unknown): void;
}

/** Writes one line for each problem to stderr. */
export const stderrLogger: BotLogger = {
  info: (text) => console.error(text),
  problem: (text, error) => console.error(error === undefined ? text : `${text}: ${describe(error)}`),
};

/**
 * Returns what may be said about an error: its name, and the place in the program. The text of an unknown error may
 * have contents of messages, as those of `JSON.parse` do.
 */
export function describe(error: unknown): string {
  if (error instanceof GatewayError) return `GatewayError ${error.error ?? error.http}${placeOf(error)}`;
  if (error instanceof SendFailed) return `SendFailed ${error.reason}`;
  const known = [NetworkError, LoginError, MediaError, SealingError, StoreError, KeyTrustError];
  if (error instanceof Error && known.some((type) => error instanceof type)) return oneLine(error.message);
  return error instanceof Error ? `${error.name}${placeOf(error)}` : `a thrown ${typeof error}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** Returns the first place of the stack, without the message in front of it. */
function placeOf({ stack = '' }: Error): string {
  const place = stack.split('\n').find((line) => /^\s+at /.test(line));
  return place === undefined ? '' : ` ${place.trim()}`;
}
