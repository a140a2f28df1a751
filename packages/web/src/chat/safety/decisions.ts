// Decides what to show and offer about keys and trust. The functions are pure and contain no texts.
import type { Session } from '@sealpost/contract';
import type { Alarm, Trust } from '../client/protocol.ts';

/**
 * The action that a person can take about a sealed message that cannot be opened: get keys, try again, or compare
 * safety numbers.
 */
export type OpenAction = 'keys' | 'again' | 'compare' | 'none';

const actions: Readonly<Record<string, OpenAction>> = {
  'unknown-key': 'keys',
  unavailable: 'again',
  'untrusted-key': 'compare',
  'wrong-sender': 'compare',
  tampered: 'compare',
};

/**
 * Returns the action to offer for a message that stays sealed.
 * @param inGroup true for a message in a group, where no single person's safety number helps
 */
export function openAction(reason: string, hasKeys: boolean, inGroup: boolean): OpenAction {
  const action = actions[reason] ?? 'none';
  // This browser may have received the key in the meantime, so trying again may open the message.
  if (action === 'keys' && hasKeys) return 'again';
  return action === 'compare' && inGroup ? 'none' : action;
}

/** The actions that a person can take about a message that was not sent. */
export interface SendChoices {
  readonly keys: boolean;
  readonly compare: boolean;
  /** True if the message can be sent unsealed. */
  readonly plain: boolean;
}

const comparable = ['would-downgrade', 'verified-changed', 'swapped', 'not-in-log', 'superseded'];

export function sendChoices(reason: string, inGroup: boolean): SendChoices {
  return {
    keys: reason === 'own-key-missing' || reason === 'own-key-unknown',
    compare: !inGroup && comparable.includes(reason),
    plain: reason === 'would-downgrade' || reason === 'must-be-plain',
  };
}

/** The strength of a passphrase as it is shown, from 0 to 4. A backup needs a passphrase of strength 4. */
export type StrengthLevel = 0 | 1 | 2 | 3 | 4;

const LEAST_LOG10 = 14;
const levels = [0, 1, 2, 3, 4] as const;

/** @param guessesLog10 the base-10 logarithm of the number of guesses after which the passphrase would be found */
export function strengthLevel(guessesLog10: number): StrengthLevel {
  return levels.findLast((level) => guessesLog10 >= (level / 4) * LEAST_LOG10) ?? 0;
}

/** Returns the groups of a safety number: twelve groups of five digits. */
export const digitGroups = (digits: string): readonly string[] => digits.match(/\d{5}/g) ?? [];

/**
 * Returns sessions in the order in which they are shown: the current one first, and then the others, most recently used
 * first.
 */
export const inOrder = (sessions: readonly Session[]): Session[] =>
  sessions.toSorted(
    (one, other) =>
      Number(other.current) - Number(one.current) || Number(other.lastSeenTime) - Number(one.lastSeenTime),
  );

/** Returns the name that a person gave a session, otherwise the name that the session's program gave itself. */
export const sessionName = ({ name, systemName }: Pick<Session, 'name' | 'systemName'>): string => name || systemName;

/** The alarms about a record of keys that is not the one from before. */
const ofOtherLog = ['other-log-key', 'rewound', 'forked'];

/** Returns whether an alarm is also caused by a server that was restored from a backup or set up anew. */
export const isOfOtherLog = (reason: string): boolean => ofOtherLog.includes(reason);

/** Returns the alarms that nobody has marked as seen. */
export const newAlarms = ({ alarms }: Trust): readonly Alarm[] => alarms.filter(({ seen }) => !seen);

const PIN = /^\d{6}$/;

/** Returns the six digits of a typed PIN, without blanks and hyphens; undefined if the text is not a PIN. */
export function pinOf(typed: string): string | undefined {
  const digits = typed.normalize('NFKC').replace(/[\s-]/g, '');
  return PIN.test(digits) ? digits : undefined;
}

/** Returns true if a text is an address as in the QR code of a login. */
export function isLoginAddress(text: string): boolean {
  const parsed = URL.parse(text.trim());
  return parsed !== null && parsed.pathname.length > 1 && parsed.searchParams.has('secret');
}

export interface Leaving {
  /** True if this browser has the keys of the account. */
  readonly hasKeys: boolean;
  readonly backedUp: boolean;
  readonly sessions: readonly Pick<Session, 'current'>[];
}

/**
 * Returns true if a logout may delete the last copy of the account's keys. This browser cannot know whether another
 * device has the keys, but it assumes that any other logged-in device has them.
 */
export const losesKeys = ({ hasKeys, backedUp, sessions }: Leaving): boolean =>
  hasKeys && !backedUp && !sessions.some(({ current }) => !current);
