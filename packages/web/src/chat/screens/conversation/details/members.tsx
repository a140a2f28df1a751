// The members of a group or room, and the people who are invited.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { UserMinus, UserPlus, X } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Button, IconButton } from '../../../../design/button.tsx';
import { ChatAvatar } from '../../../chat-avatar.tsx';
import { attempt } from '../../../client/attempt.ts';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { nameOf } from '../../../client/mirror-state.ts';
import { ask, openOverlay } from '../../../overlays/overlays.ts';
import { contactPath } from '../../../routes.ts';
import styles from './details.module.css';
import { membersInOrder } from './members-in-order.ts';

export function Members({ chatMid }: { chatMid: string }) {
  const { t, i18n } = useLingui();
  const chat = useMirror(({ chats }) => chats.get(chatMid));
  const contacts = useMirror((state) => state.contacts);
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const creator = useCreator(chatMid);
  const members = useMemo(
    () => membersInOrder(chat?.members ?? [], me, contacts, i18n.locale),
    [chat, me, contacts, i18n.locale],
  );
  if (!chat) return null;
  const { kind, invitees, invited } = chat;
  return (
    <section aria-label={t`Members`}>
      <h3 className={styles.title}>
        <Plural value={members.length} one="# member" other="# members" />
      </h3>
      {!invited && (
        <Button wide icon={<UserPlus size={18} />} onClick={() => openOverlay({ kind: 'add-people', chatMid })}>
          {kind === 'room' ? <Trans>Add people</Trans> : <Trans>Invite people</Trans>}
        </Button>
      )}
      <ul>
        {members.map((mid) => (
          <Member key={mid} mid={mid} note={mid === creator && kind === 'group' ? t`Created the group` : undefined}>
            {kind === 'group' && mid !== me && !invited && <RemoveMember chatMid={chatMid} mid={mid} />}
          </Member>
        ))}
      </ul>
      {invitees.length > 0 && (
        <>
          <h3 className={styles.title}>
            <Trans>Invited</Trans>
          </h3>
          <ul>
            {invitees.map((mid) => (
              <Member key={mid} mid={mid} note={t`Has not answered yet`}>
                {!invited && <CancelInvitation chatMid={chatMid} mid={mid} />}
              </Member>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Returns the mid of the user who created the chat; undefined until the server has answered. */
function useCreator(chatMid: string): string | undefined {
  const remote = useRemote();
  const [creator, setCreator] = useState<string>();
  useEffect(() => {
    remote.chats.get([chatMid]).then(
      (found) => setCreator(found.get(chatMid)?.extra?.groupExtra?.creatorMid),
      () => undefined,
    );
  }, [remote, chatMid]);
  return creator;
}

function Member({ mid, note, children }: { mid: string; note: string | undefined; children: ReactNode }) {
  const { t } = useLingui();
  const isMe = useMirror(({ status }) => status.session?.mid === mid);
  const name = useMirror((state) => nameOf(state, mid)) || t`Unknown`;
  const shown = (
    <>
      <ChatAvatar mid={mid} />
      <span className={styles.words}>
        <bdi>{isMe ? t`${name} (you)` : name}</bdi>
        {note !== undefined && <span className={styles.quiet}>{note}</span>}
      </span>
    </>
  );
  return (
    <li className={styles.member}>
      {isMe ? (
        <span className={styles.person}>{shown}</span>
      ) : (
        <Link href={contactPath(mid)} className={styles.person ?? ''}>
          {shown}
        </Link>
      )}
      {children}
    </li>
  );
}

function RemoveMember({ chatMid, mid }: { chatMid: string; mid: string }) {
  const { t } = useLingui();
  const remote = useRemote();
  const name = useMirror((state) => nameOf(state, mid));
  const remove = async (): Promise<void> => {
    const yes = await ask({
      title: t`Remove ${name}?`,
      text: t`${name} no longer gets the messages of this group. Everybody in it sees that you did this.`,
      action: t`Remove`,
    });
    if (yes) await attempt(() => remote.chats.removeMembers(chatMid, [mid]));
  };
  return (
    <IconButton label={t`Remove ${name} from the group`} onClick={() => void remove()}>
      <UserMinus />
    </IconButton>
  );
}

function CancelInvitation({ chatMid, mid }: { chatMid: string; mid: string }) {
  const { t } = useLingui();
  const remote = useRemote();
  const name = useMirror((state) => nameOf(state, mid));
  return (
    <IconButton
      label={t`Take back the invitation of ${name}`}
      onClick={() => void attempt(() => remote.chats.cancelInvitation(chatMid, [mid]))}
    >
      <X />
    </IconButton>
  );
}
