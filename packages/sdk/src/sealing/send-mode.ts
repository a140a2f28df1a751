// Decides whether a message is sent sealed or plain. This depends on the chat, the mode that the caller wants, and what
// this device remembers about the chat, or finds in its history.
import type { KeyTrust, SealingExpected } from '../trust/trust.ts';
import type { SealableMessage } from './content.ts';
import { type PlainReason, plainReasons, SealingError } from './reasons.ts';
import { type Keys, planFor, type SealPlan } from './seal-plan.ts';

/**
 * The way to send a message.
 * - `auto`: sealed if the message can be sealed for everybody, otherwise in the clear. But to a verified contact, or
 * into a chat that was sealed before, a message never goes in the clear.
 * - `sealed`: sealed, or refused if the message cannot be sealed.
 * - `plain`: in the clear, even in a chat that was sealed before; refused if the chat accepts only sealed messages.
 */
export type SendMode = 'auto' | 'sealed' | 'plain';

type Envelope = Pick<SealableMessage, 'to' | 'contentType'>;

/**
 * Returns whether and how a message is sealed in a mode.
 * @throws SealingError if the message must not be sent in this mode; nothing was sent
 */
export async function formFor(keys: Keys, trust: KeyTrust, message: Envelope, mode: SendMode): Promise<SealPlan> {
  if (mode === 'plain') return { sealed: false, because: 'asked' };
  const known = await planFor(keys, message);
  if (known.sealed) return known;
  const expected = mode === 'auto' ? await downgradeOf(keys, trust, message.to, known.because) : undefined;
  if (mode === 'auto' && !expected) return known;
  // The cached answer that the chat is not sealed may be an hour old, so the server is asked again before the message
  // is refused.
  forget(keys, message.to);
  const plan = await planFor(keys, message);
  if (plan.sealed) return plan;
  const { because } = plan;
  if (!expected) throw new SealingError('must-be-plain', message.to, { plainBecause: because });
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

/**
 * Returns why a message must not go in the clear; undefined if it may. A sticker may always go in the clear, because
 * stickers have no sealed form. If this device does not remember a sealed message of the chat, looks in its history: a
 * new device remembers nothing.
 */
export async function downgradeOf(
  { history }: Keys,
  trust: KeyTrust,
  to: string,
  because: PlainReason,
): Promise<SealingExpected | undefined> {
  if (because === 'no-sealed-form') return undefined;
  const expected = await trust.sealingExpected(to);
  if (expected || !(await history.hasSealed(to))) return expected;
  await trust.rememberSealed(to);
  return trust.sealingExpected(to);
}
