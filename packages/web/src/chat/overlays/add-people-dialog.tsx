// Invites people into a group, or adds them to a room.
import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo, useRef, useState } from 'react';
import { unlessTouched } from '../../access/unless-touched.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { attempt } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { PeopleChooser } from '../people/people-chooser.tsx';

export default function AddPeopleDialog({ chatMid, onClose }: { chatMid: string; onClose: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const chat = useMirror(({ chats }) => chats.get(chatMid));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [adding, setAdding] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const without = useMemo(() => new Set([...(chat?.members ?? []), ...(chat?.invitees ?? [])]), [chat]);
  const isRoom = chat?.kind === 'room';
  const add = async (): Promise<void> => {
    setAdding(true);
    if (await attempt(() => remote.chats.invite(chatMid, [...chosen]))) onClose();
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
        without={without}
        nobody={t`All of your contacts are in this chat.`}
        search={search}
      />
    </Dialog>
  );
}
