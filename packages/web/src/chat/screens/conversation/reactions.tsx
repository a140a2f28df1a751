// The reactions to a message, counted. A press sets or takes away one's own.
import { useLingui } from '@lingui/react/macro';
import { predefinedReactionTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { reactionSigns } from './reaction-signs.ts';
import styles from './reactions.module.css';

export function Reactions({ message }: { message: StoredMessage }) {
  const { t } = useLingui();
  const remote = useRemote();
  const me = useMirror(({ status }) => status.session?.mid);
  const { reactions = [], id } = message;
  if (reactions.length === 0) return null;
  return (
    <div className={styles.reactions}>
      {reactionSigns.map(({ name, sign, label }) => {
        const of = reactions.filter(
          ({ reactionType }) => reactionType.predefinedReactionType === predefinedReactionTypes[name],
        );
        if (of.length === 0) return null;
        const mine = of.some(({ fromUserMid }) => fromUserMid === me);
        return (
          <button
            key={name}
            type="button"
            className={styles.reaction}
            aria-pressed={mine}
            aria-label={t`${label()}: ${of.length}`}
            onClick={() => void attempt(() => remote.messaging.react(id, mine ? undefined : name))}
          >
            {sign} {of.length}
          </button>
        );
      })}
    </div>
  );
}
