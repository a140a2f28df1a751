// The bar with the actions for selected messages. The bar is above the field for messages while messages are being
// selected.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { StoredMessage } from '@sealpost/sdk';
import { X } from 'lucide-react';
import { Button, IconButton } from '../../../design/button.tsx';
import { openOverlay } from '../../overlays/overlays.ts';
import { useConversationView, useViewState } from './conversation-view.ts';
import styles from './message-list.module.css';

export function SelectionBar({ messages, me }: { messages: readonly StoredMessage[]; me: string }) {
  const { t } = useLingui();
  const { store, chatMid } = useConversationView();
  const selected = useViewState((state) => state.selected);
  if (!selected) return null;
  const end = (): void => store.setState({ selected: undefined });
  const chosen = messages.filter(({ id }) => selected.has(id));
  const others = chosen.filter(({ from }) => from !== me);
  return (
    <div className={styles.selection} role="toolbar" aria-label={t`Selected messages`}>
      <IconButton label={t`Select nothing`} onClick={end}>
        <X />
      </IconButton>
      <span role="status">
        <Plural value={selected.size} one="# selected" other="# selected" />
      </span>
      <Button
        disabled={others.length === 0}
        onClick={() => {
          openOverlay({ kind: 'report', mid: chatMid, messages: others });
          end();
        }}
      >
        <Trans>Report</Trans>
      </Button>
      <Button
        look="primary"
        onClick={() => {
          openOverlay({ kind: 'forward', messages: chosen });
          end();
        }}
      >
        <Trans>Forward</Trans>
      </Button>
    </div>
  );
}
