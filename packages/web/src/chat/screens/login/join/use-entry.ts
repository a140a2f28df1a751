// Finds out how the user can open an account on this server: with the invite of the given code, or without an invite.
import type { RegistrationOffer, SeenInvite } from '@sealpost/contract';
import { useEffect, useState } from 'react';
import { registration } from '../../../client/registration.ts';
import { type Refusal, refusalOf } from './refusal.ts';

export type Entry =
  | { readonly kind: 'loading' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** An invite is needed, and no code was given. */
  | { readonly kind: 'code-needed' }
  | {
      readonly kind: 'open';
      readonly offer: RegistrationOffer;
      readonly code: string | undefined;
      readonly invite: SeenInvite | undefined;
    };

/** Returns how the user can open an account, and a function that asks the server again. */
export function useEntry(code: string | undefined): readonly [Entry, () => void] {
  const [entry, setEntry] = useState<Entry>({ kind: 'loading' });
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again.
  useEffect(() => {
    let isWanted = true;
    setEntry({ kind: 'loading' });
    const ask = async (): Promise<void> => {
      const found = await find(code).catch(
        (error: unknown): Entry => ({ kind: 'refused', refusal: refusalOf(error, Date.now()) }),
      );
      if (isWanted) setEntry(found);
    };
    void ask();
    return () => {
      isWanted = false;
    };
  }, [code, tries]);
  return [entry, () => setTries((count) => count + 1)];
}

async function find(code: string | undefined): Promise<Entry> {
  const offer = await registration.offer();
  if (offer.mode === 'closed') return { kind: 'refused', refusal: { kind: 'closed' } };
  if (code === undefined) {
    return offer.mode === 'open' ? { kind: 'open', offer, code, invite: undefined } : { kind: 'code-needed' };
  }
  const invite = await registration.invite(code);
  const { state } = invite;
  if (state !== 'usable') return { kind: 'refused', refusal: { kind: state } };
  return { kind: 'open', offer, code, invite };
}
