// A button that shows whether a chat is sealed now. Pressing it opens an explanation.
import { useLingui } from '@lingui/react/macro';
import { LockKeyhole, LockKeyholeOpen, TriangleAlert } from 'lucide-react';
import { IconButton } from '../../design/button.tsx';
import type { SealState } from '../client/engine-keys.ts';
import { openOverlay } from '../overlays/overlays.ts';
import styles from './seal-button.module.css';

export function SealButton({ chatMid, state }: { chatMid: string; state: SealState | undefined }) {
  const { t } = useLingui();
  if (!state) return <span className={styles.place} />;
  const show = (): void => openOverlay({ kind: 'seal', chatMid, state });
  if (state.kind === 'sealed') {
    return (
      <IconButton label={t`Sealed: what this means`} className={styles.sealed} onClick={show}>
        <LockKeyhole />
      </IconButton>
    );
  }
  return (
    <IconButton label={t`Not sealed now: why`} className={styles.open} onClick={show}>
      {state.kind === 'plain' ? <LockKeyholeOpen /> : <TriangleAlert />}
    </IconButton>
  );
}
