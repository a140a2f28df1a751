// What the main pane shows while no chat is open.
import { Trans, useLingui } from '@lingui/react/macro';
import { MessagesSquare, QrCode } from 'lucide-react';
import { Button } from '../../../design/button.tsx';
import { Empty } from '../../../design/empty.tsx';
import { useMirror } from '../../client/context.tsx';
import { openOverlay } from '../../overlays/overlays.ts';

export default function NoChat() {
  const { t } = useLingui();
  const hasChats = useMirror(({ order }) => order.length > 0);
  if (hasChats) {
    return (
      <Empty icon={<MessagesSquare />} title={t`Choose a chat`}>
        <Trans>Your messages are sealed from your device to theirs. Pick a chat on the left, or start a new one.</Trans>
      </Empty>
    );
  }
  return (
    <Empty
      icon={<MessagesSquare />}
      title={t`Welcome`}
      action={
        <Button icon={<QrCode size={18} />} onClick={() => openOverlay({ kind: 'own-card' })}>
          <Trans>Let others add you</Trans>
        </Button>
      }
    >
      <Trans>
        Find somebody to write to, or show others your code. What you write is sealed from your device to theirs.
      </Trans>
    </Empty>
  );
}
