// A dialog to start a chat: with one person, or with several people in a group or a room.
import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { unlessTouched } from '../../access/unless-touched.ts';
import { Button } from '../../design/button.tsx';
import { Dialog, useIsOpen } from '../../design/dialog.tsx';
import { chatArrives } from '../client/arrives.ts';
import { attempt } from '../client/attempt.ts';
import { useMirrorActions, useRemote } from '../client/context.tsx';
import { PeopleChooser } from '../people/people-chooser.tsx';
import { chatPath, findingPeople, routes } from '../routes.ts';
import styles from './form.module.css';
import { canCreate, type NewGroup, NewGroupForm, newGroup } from './new-group-form.tsx';

export default function NewChatDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const mirror = useMirrorActions();
  const [, go] = useLocation();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [group, setGroup] = useState<NewGroup>();
  const [making, setMaking] = useState(false);
  const search = useRef<HTMLInputElement>(null);

  const isOpen = useIsOpen();
  const open = (mid: string): void => {
    onClose();
    go(chatPath(mid));
  };
  const next = (): void => {
    const [only] = chosen;
    if (only !== undefined && chosen.length === 1) open(only);
    else setGroup(newGroup);
  };
  const make = async ({ kind, name, picture }: NewGroup): Promise<void> => {
    setMaking(true);
    await attempt(async () => {
      const mid =
        kind === 'room'
          ? await remote.chats.createRoom([...chosen])
          : await remote.chats.createGroup({ name: name.trim(), members: [...chosen], ...(picture && { picture }) });
      await chatArrives(mirror, mid);
      if (isOpen()) open(mid);
    });
    setMaking(false);
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title={group ? t`New group` : t`New chat`}
      closeLabel={t`Close`}
      initialFocus={unlessTouched(search)}
      actions={
        group ? (
          <>
            <Button onClick={() => setGroup(undefined)}>
              <Trans>Back</Trans>
            </Button>
            <CreateButton disabled={making || !canCreate(group)} onCreate={() => void make(group)} />
          </>
        ) : (
          <>
            <FindButton onClose={onClose} />
            <Button look="primary" disabled={chosen.length === 0} onClick={next}>
              {chosen.length > 1 ? <Trans>Next</Trans> : <Trans>Open the chat</Trans>}
            </Button>
          </>
        )
      }
    >
      {group ? (
        <NewGroupForm group={group} members={chosen} onChange={setGroup} />
      ) : (
        <div className={styles.form}>
          <p className={styles.hint}>
            <Trans>Choose one person for a chat, or several people for a group.</Trans>
          </p>
          <PeopleChooser
            chosen={chosen}
            onChange={setChosen}
            onDone={next}
            nobody={t`You have no contacts yet. Find somebody by user id first.`}
            search={search}
          />
        </div>
      )}
    </Dialog>
  );
}

/**
 * The button that makes the group. On a phone, "Next" was at this place before. So the second press of a double click
 * must do nothing here.
 */
function CreateButton({ disabled, onCreate }: { disabled: boolean; onCreate: () => void }) {
  return (
    <Button
      look="primary"
      disabled={disabled}
      onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
      onClick={({ detail }) => detail > 1 || onCreate()}
    >
      <Trans>Create</Trans>
    </Button>
  );
}

function FindButton({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const find = (): void => {
    onClose();
    go(routes.contacts, findingPeople);
  };
  return (
    <Button look="quiet" onClick={find}>
      <Trans>Find somebody new</Trans>
    </Button>
  );
}
