// The picture and name of a chat. The picture and name of a group can be changed.
import { Trans, useLingui } from '@lingui/react/macro';
import { clientLimits } from '@sealpost/contract';
import { Pencil } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../../design/button.tsx';
import { ChatAvatar } from '../../../chat-avatar.tsx';
import { attempt } from '../../../client/attempt.ts';
import { useMirror, useRemote } from '../../../client/context.tsx';
import { nameOf, picturePathOf } from '../../../client/mirror-state.ts';
import { openOverlay } from '../../../overlays/overlays.ts';
import { NameField } from '../../../people/name-field.tsx';
import { nameProblem } from '../../../people/name-problem.ts';
import { PictureField } from '../../../pictures/picture-field.tsx';
import { contactPath } from '../../../routes.ts';
import styles from './details.module.css';

export function AboutChat({ chatMid }: { chatMid: string }) {
  const { t } = useLingui();
  const chat = useMirror(({ chats }) => chats.get(chatMid));
  const name = useMirror((state) => chat?.name || nameOf(state, chatMid)) || t`Unknown`;
  const hasPicture = useMirror((state) => Boolean(picturePathOf(state, chatMid)));
  const [changing, setChanging] = useState(false);
  const kind = chat?.kind ?? 'user';
  const avatar = <ChatAvatar mid={chatMid} size="xl" />;
  if (changing) return <ChangeGroup chatMid={chatMid} onDone={() => setChanging(false)} />;
  return (
    <div className={styles.about}>
      {hasPicture ? (
        <button
          type="button"
          className={styles.picture}
          aria-label={t`Show the picture of ${name}`}
          onClick={() => openOverlay({ kind: 'picture', mid: chatMid })}
        >
          {avatar}
        </button>
      ) : (
        avatar
      )}
      <h3>
        <bdi>{name}</bdi>
      </h3>
      {kind === 'user' && (
        <Link href={contactPath(chatMid)}>
          <Trans>Show the contact</Trans>
        </Link>
      )}
      {kind === 'group' && !chat?.invited && (
        <Button look="quiet" icon={<Pencil size={18} />} onClick={() => setChanging(true)}>
          <Trans>Change name or picture</Trans>
        </Button>
      )}
      {kind === 'room' && (
        <p className={styles.quiet}>
          <Trans>A room has no name of its own.</Trans>
        </p>
      )}
    </div>
  );
}

function ChangeGroup({ chatMid, onDone }: { chatMid: string; onDone: () => void }) {
  const { t } = useLingui();
  const { chats } = useRemote();
  const shown = useMirror((state) => state.chats.get(chatMid)?.name ?? '');
  const hasPicture = useMirror((state) => Boolean(picturePathOf(state, chatMid)));
  const [name, setName] = useState(shown);
  const problem = nameProblem(name, clientLimits.chatName.value, true);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await attempt(() => chats.rename(chatMid, name.trim()))) onDone();
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <PictureField
        onPicture={(picture) => void attempt(() => chats.setPicture(chatMid, picture))}
        onRemove={hasPicture ? () => void attempt(() => chats.removePicture(chatMid)) : undefined}
      >
        <ChatAvatar mid={chatMid} size="l" />
      </PictureField>
      <NameField
        label={t`Name of the group`}
        value={name}
        most={clientLimits.chatName.value}
        mayBeEmpty
        onName={setName}
      />
      <div className={styles.buttons}>
        <Button type="submit" look="primary" disabled={problem !== undefined}>
          <Trans>Save</Trans>
        </Button>
        <Button onClick={onDone}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </form>
  );
}
