// Invites people into a group, or adds them to a room. Those who are invited or in the room already can be chosen again.
// Somebody who had blocked the inviter was told nothing of the first invitation, and the page cannot know that.
import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo, useRef, useState } from 'react';
import { unlessTouched } from '../../access/unless-touched.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, useIsOpen } from '../../design/dialog.tsx';
import { attempt } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { PeopleChooser } from '../people/people-chooser.tsx';
import styles from './form.module.css';

export default function AddPeopleDialog({ chatMid, onClose }: { chatMid: string; onClose: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const chat = useMirror(({ chats }) => chats.get(chatMid));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [adding, setAdding] = useState(false);
  const isOpen = useIsOpen();
  const search = useRef<HTMLInputElement>(null);
  const isRoom = chat?.kind === 'room';
  const members = useMemo(() => new Set(chat?.members), [chat]);
  const invitees = useMemo(() => new Set(chat?.invitees), [chat]);
  const again = isRoom ? members : invitees;
  const note = isRoom ? t`In this room already` : t`Invited already`;
  const last = useMemo(() => ({ mids: again, note }), [again, note]);
  const add = async (): Promise<void> => {
    setAdding(true);
    if ((await attempt(() => remote.chats.invite(chatMid, [...chosen]))) && isOpen()) onClose();
    setAdding(false);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isRoom ? t`Add people` : t`Invite people`}
      closeLabel={t`Close`}
      initialFocus={unlessTouched(search)}
      actions={
        <Button look="primary" disabled={chosen.length === 0 || adding} onClick={() => void add()}>
          {isRoom ? <Trans>Add</Trans> : <Trans>Invite</Trans>}
        </Button>
      }
    >
      <PeopleChooser
        chosen={chosen}
        onChange={setChosen}
        onDone={() => adding || void add()}
        {...(isRoom ? {} : { without: members })}
        last={last}
        nobody={t`All of your contacts are in this chat.`}
        search={search}
      />
      <p role="status" className={styles.hint}>
        {chosen.some((mid) => again.has(mid)) && (
          <Trans>Nothing changes for people who see this chat already. Others are told of it now.</Trans>
        )}
      </p>
    </Dialog>
  );
}
