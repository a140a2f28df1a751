// A dialog to choose the chats to which messages are forwarded.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { useRef, useState } from 'react';
import { unlessTouched } from '../../access/unless-touched.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { toast } from '../../design/toast.ts';
import { ChatAvatar } from '../chat-avatar.tsx';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { found } from './found.ts';
import styles from './overlays.module.css';
import { usePlaces } from './use-places.ts';

const MOST_SHOWN = 60;

export interface ForwardDialogProps {
  readonly messages: readonly StoredMessage[];
  readonly onClose: () => void;
}

export default function ForwardDialog({ messages, onClose }: ForwardDialogProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const places = usePlaces();
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const shown = found(places, query, MOST_SHOWN);
  const toggle = (mid: string): void => {
    const next = new Set(chosen);
    if (!next.delete(mid)) next.add(mid);
    setChosen(next);
  };
  const forward = async (): Promise<void> => {
    onClose();
    toast({ text: t`Forwarding…`, about: 'forward' });
    // The messages are sent to all chosen chats at the same time. Within each chat, they are sent in their order.
    const done = await Promise.all(
      [...chosen].map((mid) =>
        attempt(async () => {
          for (const message of messages) await remote.messaging.forward(message, mid);
        }),
      ),
    );
    if (done.every(Boolean)) toast({ text: t`Forwarded`, about: 'forward' });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Forward`}
      closeLabel={t`Close`}
      initialFocus={unlessTouched(search)}
      actions={
        <Button look="primary" disabled={chosen.size === 0} onClick={() => void forward()}>
          {chosen.size === 0 ? (
            <Trans>Forward</Trans>
          ) : (
            <Plural value={chosen.size} one="Forward to # chat" other="Forward to # chats" />
          )}
        </Button>
      }
    >
      <input
        ref={search}
        dir="auto"
        type="search"
        className={styles.search}
        placeholder={t`Find a chat or person`}
        aria-label={t`Find a chat or person`}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <div className={styles.list}>
        {shown.map(({ id, name }) => (
          <label key={id} className={styles.choice}>
            <ChatAvatar mid={id} size="s" />
            <span className={styles.name}>
              <bdi>{name || t`Unknown`}</bdi>
            </span>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          </label>
        ))}
        {shown.length === 0 && (
          <p className={styles.nothing}>
            <Trans>Nobody has that name</Trans>
          </p>
        )}
      </div>
    </Dialog>
  );
}
