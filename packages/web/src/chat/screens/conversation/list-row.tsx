// One row of the list of messages.
import { Trans, useLingui } from '@lingui/react/macro';
import { dayName } from '../../../words/full-times.ts';
import type { Row } from '../../rows/rows.ts';
import { NewKeyLine } from '../../safety/new-key-line.tsx';
import { Message } from './message.tsx';
import styles from './message-list.module.css';
import { WaitingMessage } from './waiting-message.tsx';

export function ListRow({ row, chatMid }: { row: Row; chatMid: string }) {
  const { i18n } = useLingui();
  switch (row.kind) {
    case 'day':
      return (
        <p className={styles.line}>
          <span>{dayName(i18n.locale, row.time, Date.now())}</span>
        </p>
      );
    case 'unread':
      return (
        <p className={styles.unread}>
          <span>
            <Trans>New messages</Trans>
          </span>
        </p>
      );
    case 'new-key':
      return <NewKeyLine mid={row.mid} />;
    case 'message':
      return <Message message={row.message} chatMid={chatMid} first={row.first} last={row.last} />;
    case 'waiting':
      return <WaitingMessage waiting={row.waiting} first={row.first} last={row.last} />;
  }
}
