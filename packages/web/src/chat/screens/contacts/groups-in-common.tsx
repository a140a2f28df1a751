// Lists the groups and rooms that a person and this account are both in.
import { Trans } from '@lingui/react/macro';
import { Link } from 'wouter';
import { ChatAvatar } from '../../chat-avatar.tsx';
import { useMirror, useMirrorShallow } from '../../client/context.tsx';
import { groupsWith } from '../../people/people-lists.ts';
import { chatPath } from '../../routes.ts';
import styles from './contact-card.module.css';

export function GroupsInCommon({ mid }: { mid: string }) {
  const groups = useMirrorShallow(({ chats }) => groupsWith(chats, mid));
  if (groups.length === 0) return null;
  return (
    <div className={styles.card}>
      <h3>
        <Trans>Groups in common</Trans>
      </h3>
      <ul>
        {groups.map((group) => (
          <li key={group}>
            <GroupLink mid={group} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function GroupLink({ mid }: { mid: string }) {
  const name = useMirror(({ chats }) => chats.get(mid)?.name);
  return (
    <Link href={chatPath(mid)} className={styles.link ?? ''}>
      <ChatAvatar mid={mid} />
      <bdi>{name}</bdi>
    </Link>
  );
}
