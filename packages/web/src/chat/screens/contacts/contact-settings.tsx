// Switches for how this account treats a contact: favourite, muted, hidden.
import { useLingui } from '@lingui/react/macro';
import type { Contact } from '@sealpost/contract';
import { BellOff, EyeOff, Star } from 'lucide-react';
import { Switch } from '../../../design/switch.tsx';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { isFavorite, isHidden, isMuted } from '../../people/relation.ts';
import styles from './contact-card.module.css';

export function ContactSettings({ contact }: { contact: Contact }) {
  const { t } = useLingui();
  const { contacts } = useRemote();
  const { mid } = contact;
  return (
    <div className={styles.card}>
      <Switch
        icon={<Star />}
        label={t`Favourite`}
        hint={t`Stands first in the lists.`}
        checked={isFavorite(contact)}
        onChange={(on) => attempt(() => contacts.setFavorite(mid, on))}
      />
      <Switch
        icon={<BellOff />}
        label={t`Mute`}
        hint={t`No notifications about messages of this person.`}
        checked={isMuted(contact)}
        onChange={(on) => attempt(() => contacts.setMuted(mid, on))}
      />
      <Switch
        icon={<EyeOff />}
        label={t`Hide`}
        hint={t`Not in the list of contacts; the search still finds them.`}
        checked={isHidden(contact)}
        onChange={(on) => attempt(() => contacts.setHidden(mid, on))}
      />
    </div>
  );
}
