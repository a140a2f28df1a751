// Elements at the edges of the list of messages: the day, a note that older messages cannot be loaded, and buttons.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, CornerDownLeft } from 'lucide-react';
import { IconButton } from '../../../design/button.tsx';
import { cx } from '../../../design/cx.ts';
import { dayName } from '../../../words/full-times.ts';
import { problemOf } from '../../client/attempt.ts';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { useViewState } from './conversation-view.ts';
import styles from './message-list.module.css';

/** Shows the day of the message at the upper edge while the user scrolls. */
export function DayLabel({ time, shown }: { time: number | undefined; shown: boolean }) {
  const { i18n } = useLingui();
  if (time === undefined) return null;
  return (
    <p className={cx(styles.day, shown && styles.shown)} aria-hidden="true">
      <span>{dayName(i18n.locale, time, Date.now())}</span>
    </p>
  );
}

const isUnreachable = (problem: unknown): boolean => problem instanceof Error && problem.name === 'NetworkError';

export function NoOlder({ problem, onRetry }: { problem: unknown; onRetry: () => void }) {
  return (
    <p className={styles.problem} role="status">
      {isUnreachable(problem) ? (
        <Trans>Older messages are not here without a connection.</Trans>
      ) : (
        <>
          <Trans>Older messages could not be loaded.</Trans> {problemOf(problem)}
        </>
      )}{' '}
      <button type="button" onClick={onRetry}>
        <Trans>Try again</Trans>
      </button>
    </p>
  );
}

/** Shown in the place of the messages while there are none. */
export function NothingYet({ chatMid }: { chatMid: string }) {
  const name = useMirror((state) => nameOf(state, chatMid));
  const isPerson = useMirror(({ chats }) => (chats.get(chatMid)?.kind ?? 'user') === 'user');
  return (
    <p className={styles.nothing}>
      {isPerson && name ? (
        <Trans>
          No messages yet. Say hello to <bdi>{name}</bdi>.
        </Trans>
      ) : (
        <Trans>No messages yet. Say hello.</Trans>
      )}
    </p>
  );
}

export interface WaysProps {
  readonly atEnd: boolean;
  /** The number of new messages below the view. */
  readonly fresh: number;
  readonly onEnd: () => void;
  readonly onBack: () => void;
}

export function Ways({ atEnd, fresh, onEnd, onBack }: WaysProps) {
  const { t } = useLingui();
  const hasBack = useViewState(({ back }) => back.length > 0);
  if (atEnd && !hasBack) return null;
  return (
    <div className={styles.ways}>
      {hasBack && (
        <IconButton className={styles.way} label={t`Back to where you were`} onClick={onBack}>
          <CornerDownLeft />
        </IconButton>
      )}
      {!atEnd && (
        <IconButton className={styles.way} label={t`To the newest message`} onClick={onEnd}>
          <ArrowDown />
          {fresh > 0 && (
            <span className={styles.fresh}>
              <span aria-hidden="true">{fresh}</span>
              <span className="visually-hidden">
                <Plural value={fresh} one="# new message" other="# new messages" />
              </span>
            </span>
          )}
        </IconButton>
      )}
    </div>
  );
}
