// A dialog to choose the contact whose card is sent.
import { Trans, useLingui } from '@lingui/react/macro';
import { contentTypes } from '@sealpost/contract';
import { useRef, useState } from 'react';
import { unlessTouched } from '../../../../access/unless-touched.ts';
import { Dialog } from '../../../../design/dialog.tsx';
import { Field } from '../../../../design/field.tsx';
import { ChatAvatar } from '../../../chat-avatar.tsx';
import { useMirror } from '../../../client/context.tsx';
import { choosable } from '../../../people/people-lists.ts';
import { nameOfContact } from '../../../people/relation.ts';
import styles from './attach-dialogs.module.css';
import type { Content } from './content.ts';

export interface ContactDialogProps {
  readonly onClose: () => void;
  readonly onChosen: (content: Content) => void;
}

export default function ContactDialog({ onClose, onChosen }: ContactDialogProps) {
  const { t, i18n } = useLingui();
  const [wanted, setWanted] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const contacts = useMirror((state) => state.contacts);
  const people = choosable(contacts, wanted, i18n.locale).map((mid) => {
    const contact = contacts.get(mid);
    return { mid, name: contact ? nameOfContact(contact) : '' };
  });
  const choose = (mid: string, displayName: string): void =>
    onChosen({ contentType: contentTypes.CONTACT, contentMetadata: { mid, displayName } });
  return (
    <Dialog open onClose={onClose} title={t`Send a contact`} closeLabel={t`Close`} initialFocus={unlessTouched(search)}>
      <div className={styles.form}>
        <Field
          ref={search}
          label={t`Search contacts`}
          type="search"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        {people.length === 0 && (
          <p>{wanted === '' ? <Trans>No contacts yet</Trans> : <Trans>Nobody here has this name.</Trans>}</p>
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
