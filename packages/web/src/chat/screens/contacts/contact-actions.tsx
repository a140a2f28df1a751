// The buttons on the page of a person, such as writing a message, blocking and reporting.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Contact } from '@sealpost/contract';
import { Ban, Flag, MessageSquare, UserMinus, UserPlus } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { useContactVerbs } from '../../people/contact-verbs.ts';
import { isBlocked, isFriend, nameOfContact } from '../../people/relation.ts';
import { chatPath } from '../../routes.ts';
import styles from './contact-actions.module.css';

/** @param known true if the page's state has the record of the person; only then can a chat be opened */
export function ContactActions({ contact, known }: { contact: Contact; known: boolean }) {
  const { t } = useLingui();
  const [, go] = useLocation();
  const { mid } = contact;
  const verbs = useContactVerbs(mid, nameOfContact(contact) || t`Unknown`);
  const blocked = isBlocked(contact);
  const isContact = isFriend(contact);
  return (
    <div className={styles.actions}>
      <div className={styles.main}>
        {blocked ? (
          <Button look="primary" icon={<Ban size={18} />} onClick={() => void verbs.unblock()}>
            <Trans>Unblock</Trans>
          </Button>
        ) : (
          !isContact && (
            <Button look="primary" icon={<UserPlus size={18} />} onClick={() => void verbs.add()}>
              <Trans>Add to contacts</Trans>
            </Button>
          )
        )}
        {known && !blocked && (
          <Button
            look={isContact ? 'primary' : 'plain'}
            icon={<MessageSquare size={18} />}
            onClick={() => go(chatPath(mid))}
          >
            <Trans>Write a message</Trans>
          </Button>
        )}
      </div>
      <div className={styles.others}>
        {!blocked && (
          <Button look="quiet" icon={<Ban size={18} />} onClick={() => void verbs.block()}>
            <Trans>Block</Trans>
          </Button>
        )}
        {isContact && (
          <Button look="quiet" icon={<UserMinus size={18} />} onClick={() => void verbs.remove()}>
            <Trans>Remove</Trans>
          </Button>
        )}
        <Button look="quiet" icon={<Flag size={18} />} onClick={() => openOverlay({ kind: 'report', mid })}>
          <Trans>Report</Trans>
        </Button>
      </div>
    </div>
  );
}
