// The line in a conversation that says that somebody has a new key.
import { Trans, useLingui } from '@lingui/react/macro';
import { KeyRound } from 'lucide-react';
import { useMirror } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import { openOverlay } from '../overlays/overlays.ts';
import styles from './new-key-line.module.css';

export function NewKeyLine({ mid }: { mid: string }) {
  const { t } = useLingui();
  const name = useMirror((state) => nameOf(state, mid)) || t`Somebody`;
  return (
    <p className={styles.line}>
      <KeyRound aria-hidden="true" />
      <Trans>
        <bdi>{name}</bdi> has a new key: a new device, or somebody else.
      </Trans>{' '}
      <button type="button" onClick={() => openOverlay({ kind: 'safety', mid })}>
        <Trans>Compare the safety number</Trans>
      </button>
    </p>
  );
}
