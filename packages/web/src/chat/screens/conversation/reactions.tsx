// The reactions to a message, with their numbers. Pressing one adds or removes the user's own reaction.
import { useLingui } from '@lingui/react/macro';
import { predefinedReactionTypes } from '@sealpost/contract';
import type { StoredMessage } from '@sealpost/sdk';
import { listOf } from '../../../words/numbers.ts';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useMirrorShallow, useRemote } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { useViewState } from './conversation-view.ts';
import { reactionSigns } from './reaction-signs.ts';
import styles from './reactions.module.css';

export function Reactions({ message }: { message: StoredMessage }) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const me = useMirror(({ status }) => status.session?.mid);
  const { reactions = [], id } = message;
  const names = useMirrorShallow((state) => reactions.map(({ fromUserMid }) => nameOf(state, fromUserMid)));
  const tabIndex = useViewState(({ active }) => (active === id ? 0 : -1));
  if (reactions.length === 0) return null;
  return (
    <div className={styles.reactions}>
      {reactionSigns.map(({ name, sign, label }) => {
        const of = reactions.filter(
          ({ reactionType }) => reactionType.predefinedReactionType === predefinedReactionTypes[name],
        );
        if (of.length === 0) return null;
        const mine = of.some(({ fromUserMid }) => fromUserMid === me);
        const who = listOf(
          i18n.locale,
          reactions.flatMap((reaction, index) => (of.includes(reaction) ? (names[index] ?? []) : [])),
        );
        return (
          <button
            key={name}
            type="button"
            className={styles.reaction}
            aria-pressed={mine}
            title={who}
            tabIndex={tabIndex}
            aria-label={t`${label()}: ${of.length} (${who})`}
            onClick={() => void attempt(() => remote.messaging.react(id, mine ? undefined : name))}
          >
            {sign} {of.length}
          </button>
        );
      })}
    </div>
  );
}
