// Chooses the contact whose card is sent.
import { Trans, useLingui } from '@lingui/react/macro';
import { contactStatus, contentTypes } from '@sealpost/contract';
import { useState } from 'react';
import { Dialog } from '../../../../design/dialog.tsx';
import { Field } from '../../../../design/field.tsx';
import { ChatAvatar } from '../../../chat-avatar.tsx';
import { useMirrorShallow } from '../../../client/context.tsx';
import { nameOf } from '../../../client/mirror-state.ts';
import styles from './attach-dialogs.module.css';
import type { Content } from './content.ts';

export interface ContactDialogProps {
  readonly onClose: () => void;
  readonly onChosen: (content: Content) => void;
}

export default function ContactDialog({ onClose, onChosen }: ContactDialogProps) {
  const { t, i18n } = useLingui();
  const [wanted, setWanted] = useState('');
  const people = useMirrorShallow((state) =>
    [...state.contacts.values()]
      .filter(({ status }) => status === contactStatus.FRIEND)
      .map(({ mid }) => `${mid} ${nameOf(state, mid)}`),
  )
    .map((line) => ({ mid: line.slice(0, line.indexOf(' ')), name: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ name }) => name.toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()))
    .sort((a, b) => a.name.localeCompare(b.name, i18n.locale));
  const choose = (mid: string, displayName: string): void =>
    onChosen({ contentType: contentTypes.CONTACT, contentMetadata: { mid, displayName } });
  return (
    <Dialog open onClose={onClose} title={t`Send a contact`} closeLabel={t`Close`}>
      <div className={styles.form}>
        <Field
          label={t`Search contacts`}
          type="search"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        {people.length === 0 && (
          <p>
            <Trans>Nobody here has this name.</Trans>
          </p>
        )}
        <ul className={styles.people} aria-label={t`Contacts`}>
          {people.map(({ mid, name }) => (
            <li key={mid}>
              <button type="button" className={styles.person} onClick={() => choose(mid, name)}>
                <ChatAvatar mid={mid} />
                <bdi>{name}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
