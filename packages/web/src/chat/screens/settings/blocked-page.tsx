// The settings page with the people whom this account has blocked.
import { Trans, useLingui } from '@lingui/react/macro';
import { Ban } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { blockedMids } from '../../people/people-lists.ts';
import { contactPath } from '../../routes.ts';
import styles from './blocked-page.module.css';

export function BlockedPage() {
  const { t, i18n } = useLingui();
  const contacts = useMirror((state) => state.contacts);
  const mids = useMemo(() => blockedMids(contacts, i18n.locale), [contacts, i18n.locale]);
  if (mids.length === 0) {
    return (
      <Empty icon={<Ban />} title={t`Nobody is blocked`}>
        <Trans>You can block somebody on the page of the contact.</Trans>
      </Empty>
    );
  }
  return (
    <ul>
      {mids.map((mid) => (
        <Blocked key={mid} mid={mid} />
      ))}
    </ul>
  );
}

function Blocked({ mid }: { mid: string }) {
  const { t } = useLingui();
  const { contacts } = useRemote();
  const name = useMirror((state) => nameOf(state, mid)) || t`Unknown`;
  return (
    <li className={styles.blocked}>
      <Link href={contactPath(mid)} className={styles.person ?? ''}>
        <ChatAvatar mid={mid} />
        <bdi>{name}</bdi>
      </Link>
      <Button aria-label={t`Unblock ${name}`} onClick={() => void attempt(() => contacts.unblock(mid))}>
        <Trans>Unblock</Trans>
      </Button>
    </li>
  );
}
