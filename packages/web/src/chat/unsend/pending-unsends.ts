// The messages that the server must still unsend, in the form in which the browser stores them.
import { CallError } from '../client/remote.ts';

export interface PendingUnsend {
  readonly id: string;
  /** The mid of the account that unsends the message. */
  readonly by: string;
  /** From this time on, in epoch milliseconds, a page may send the call although another page took it on. */
  readonly due: number;
}

/** Returns the entries of a stored text. Leaves out malformed ones. */
export function pendingUnsends(stored: string | null): readonly PendingUnsend[] {
  try {
    const entries: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(entries) ? entries.filter(isPending) : [];
  } catch {
    return [];
  }
}

const isPending = (entry: Partial<PendingUnsend> | null): entry is PendingUnsend =>
  typeof entry?.id === 'string' && typeof entry.by === 'string' && typeof entry.due === 'number';

/** Adds an entry, in place of an earlier one for the same message. */
export const withUnsend = (entries: readonly PendingUnsend[], added: PendingUnsend): readonly PendingUnsend[] => [
  ...withoutUnsend(entries, added.id),
  added,
];

export const withoutUnsend = (entries: readonly PendingUnsend[], id: string): readonly PendingUnsend[] =>
  entries.filter((entry) => entry.id !== id);

/** Returns whether the server refused a call for good. After any other failure, the call is sent again later. */
export const isRefused = (error: unknown): boolean =>
  error instanceof CallError && error.name === 'GatewayError' && error.fields.retry === false;
