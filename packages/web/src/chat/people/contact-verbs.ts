// The actions for a person that several places of the page offer. Blocking and removing ask for confirmation.
import { useLingui } from '@lingui/react/macro';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { ask } from '../overlays/overlays.ts';

export interface ContactVerbs {
  add(): Promise<boolean>;
  /** Resolves to true if the person was blocked. */
  block(): Promise<boolean>;
  unblock(): Promise<boolean>;
  remove(): Promise<boolean>;
}

export function useContactVerbs(mid: string, name: string): ContactVerbs {
  const { t } = useLingui();
  const { contacts } = useRemote();
  return {
    add: () => attempt(() => contacts.add(mid)),
    unblock: () => attempt(() => contacts.unblock(mid)),
    async block() {
      const yes = await ask({
        title: t`Block ${name}?`,
        text: t`Messages of ${name} no longer reach you. They are not told.`,
        action: t`Block`,
      });
      return yes && attempt(() => contacts.block(mid));
    },
    async remove() {
      const yes = await ask({
        title: t`Remove ${name}?`,
        text: t`${name} is no longer in your contacts. The chat stays.`,
        action: t`Remove`,
      });
      return yes && attempt(() => contacts.remove(mid));
    },
  };
}
