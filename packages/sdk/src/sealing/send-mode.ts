// In which form a message goes: what the chat takes, what the caller wants, and what this device expects of the chat.
import type { KeyTrust, SealingExpected } from '../trust/trust.ts';
import type { SealableMessage } from './content.ts';
import { type PlainReason, plainReasons, SealingError } from './reasons.ts';
import { type Keys, planFor, type SealPlan } from './seal-plan.ts';

/**
 * `auto`: sealed where everybody can be sealed for, else in the clear, but never to a verified contact or into a chat
 * that was sealed before; `sealed`: sealed or not at all; `plain`: in the clear or not at all, wherever it goes.
 */
export type SendMode = 'auto' | 'sealed' | 'plain';

type Envelope = Pick<SealableMessage, 'to' | 'contentType'>;

/** @throws SealingError if a message must not go in this mode: nothing was sent */
export async function formFor(keys: Keys, trust: KeyTrust, message: Envelope, mode: SendMode): Promise<SealPlan> {
  if (mode === 'plain') return { sealed: false, because: 'asked' };
  const known = await planFor(keys, message);
  if (known.sealed) return known;
  const expected = await downgradeOf(trust, message.to, known.because);
  if (mode === 'auto' && !expected) return known;
  // "Off" is believed for an hour: before a message is refused for it, it is asked for again.
  forget(keys, message.to);
  const plan = await planFor(keys, message);
  if (plan.sealed) return plan;
  const { because } = plan;
  if (mode === 'sealed' || !expected) throw new SealingError('must-be-plain', message.to, { plainBecause: because });
  const day = new Date(expected.since).toISOString().slice(0, 10);
  const history = expected.kind === 'verified' ? `verified on ${day}` : `sealed since ${day}`;
  const found = `${message.to}, ${history}; now ${plainReasons[because].cause}`;
  throw new SealingError('would-downgrade', found, { plainBecause: because });
}

function forget({ own, peers, groups }: Keys, to: string): void {
  own.forget();
  peers.forget(to);
  groups.forget(to);
}

/** What speaks against sending in the clear. A sticker never had a sealed form, so nothing changes for it. */
export async function downgradeOf(
  trust: KeyTrust,
  to: string,
  because: PlainReason,
): Promise<SealingExpected | undefined> {
  return because === 'no-sealed-form' ? undefined : trust.sealingExpected(to);
}
