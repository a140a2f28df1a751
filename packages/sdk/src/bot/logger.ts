// The log of a bot. The default logger never writes contents of messages.
import { GatewayError, NetworkError } from '../gateway/errors.ts';
import { LoginError } from '../login/login-error.ts';
import { MediaError } from '../media/media-error.ts';
import { SendFailed } from '../outbox/send-failed.ts';
import { SealingError } from '../sealing/reasons.ts';
import { StoreError } from '../store/store.ts';
import { KeyTrustError } from '../trust/key-trust-error.ts';

export interface BotLogger {
  /** Reports what the operator must know or do at a login, and that a lost connection is back. */
  info(text: string): void;
  /** Reports a problem. `text` never has contents of messages, but the message of `error` may have some. */
  problem(text: string, error?: unknown): void;
}

/** A logger that writes each report to stderr as one line. */
export const stderrLogger: BotLogger = {
  info: (text) => console.error(text),
  problem: (text, error) => console.error(error === undefined ? text : `${text}: ${describe(error)}`),
};

/**
 * Describes an error for the log. An error of an unknown type is described only by its name and its place in the
 * program. Its text may have contents of messages, as the text of an error from `JSON.parse` does.
 */
export function describe(error: unknown): string {
  if (error instanceof GatewayError) return `GatewayError ${error.error ?? error.http}${placeOf(error)}`;
  if (error instanceof SendFailed) return `SendFailed ${error.reason}`;
  const known = [NetworkError, LoginError, MediaError, SealingError, StoreError, KeyTrustError];
  if (error instanceof Error && known.some((type) => error instanceof type)) return oneLine(error.message);
  return error instanceof Error ? `${error.name}${placeOf(error)}` : `a thrown ${typeof error}`;
}

const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** Returns the first place that the stack names. The error's message, which the stack begins with, is left out. */
function placeOf({ stack = '' }: Error): string {
  const place = stack.split('\n').find((line) => /^\s+at /.test(line));
  return place === undefined ? '' : ` ${place.trim()}`;
}
