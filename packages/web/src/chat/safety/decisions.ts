// What to show and offer about keys and trust: pure decisions, without words.
import type { Session } from '@sealpost/contract';
import type { Alarm, Trust } from '../client/protocol.ts';

/** What can be done about a sealed message that does not open. */
export type OpenAction = 'keys' | 'again' | 'compare' | 'none';

const actions: Readonly<Record<string, OpenAction>> = {
  'unknown-key': 'keys',
  unavailable: 'again',
  'untrusted-key': 'compare',
  'wrong-sender': 'compare',
  tampered: 'compare',
};

/**
 * Returns what to offer for a message that stays sealed.
 * @param inGroup whether it is in a group, where no single person's safety number helps
 */
export function openAction(reason: string, hasKeys: boolean, inGroup: boolean): OpenAction {
  const action = actions[reason] ?? 'none';
  // A key that came meanwhile may open it.
  if (action === 'keys' && hasKeys) return 'again';
  return action === 'compare' && inGroup ? 'none' : action;
}

/** What can be done about a message that was not sent. */
export interface SendChoices {
  readonly keys: boolean;
  readonly compare: boolean;
  /** Whether it can be sent in the clear. */
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

/** The quality of a passphrase as a person sees it, from 0 to 4. Only 4 is taken for a backup. */
export type StrengthLevel = 0 | 1 | 2 | 3 | 4;

const LEAST_LOG10 = 14;
const levels = [0, 1, 2, 3, 4] as const;

/** @param guessesLog10 the tries that a guesser needs, as a power of ten */
export function strengthLevel(guessesLog10: number): StrengthLevel {
  return levels.findLast((level) => guessesLog10 >= (level / 4) * LEAST_LOG10) ?? 0;
}

/** Returns the groups of a safety number: twelve groups of five digits. */
export const digitGroups = (digits: string): readonly string[] => digits.match(/\d{5}/g) ?? [];

/** Returns sessions in the order of a list: this one, then the others by their last use. */
export const inOrder = (sessions: readonly Session[]): Session[] =>
  sessions.toSorted(
    (one, other) =>
      Number(other.current) - Number(one.current) || Number(other.lastSeenTime) - Number(one.lastSeenTime),
  );

/** The name that a person gave a session, else what it says about itself. */
export const sessionName = ({ name, systemName }: Pick<Session, 'name' | 'systemName'>): string => name || systemName;

/** Returns the alarms that nobody has marked as seen. */
export const newAlarms = ({ alarms }: Trust): readonly Alarm[] => alarms.filter(({ seen }) => !seen);

const PIN = /^\d{6}$/;

/** Returns the six digits of a PIN as it was typed, with blanks or not; undefined if it is none. */
export function pinOf(typed: string): string | undefined {
  const digits = typed.normalize('NFKC').replace(/[\s-]/g, '');
  return PIN.test(digits) ? digits : undefined;
}

/** Returns whether a text is the address in a code of a login. */
export function isLoginAddress(text: string): boolean {
  const parsed = URL.parse(text.trim());
  return parsed !== null && parsed.pathname.length > 1 && parsed.searchParams.has('secret');
}

export interface Leaving {
  /** Whether this browser has the keys of the account. */
  readonly hasKeys: boolean;
  readonly backedUp: boolean;
  readonly sessions: readonly Pick<Session, 'current'>[];
}

/**
 * Returns whether a logout may be the end of the account's keys. Whether another device has them, nobody can know from
 * here; one that is logged in probably has.
 */
export const losesKeys = ({ hasKeys, backedUp, sessions }: Leaving): boolean =>
  hasKeys && !backedUp && !sessions.some(({ current }) => !current);
