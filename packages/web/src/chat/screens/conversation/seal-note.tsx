// The note that explains the open lock at a message. It opens beside the lock.
import { Popover } from '@base-ui/react/popover';
import { useLingui } from '@lingui/react/macro';
import type { RefObject } from 'react';
import { unsealedReason } from '../../safety/unsealed-kinds.ts';
import styles from './seal-note.module.css';

export interface SealNoteProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly contentType: number;
  readonly onClose: () => void;
}

export default function SealNote({ anchor, contentType, onClose }: SealNoteProps) {
  const { t, i18n } = useLingui();
  const { what, helps } = unsealedReason(contentType);
  return (
    <Popover.Root open modal="trap-focus" onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal container={document.querySelector('main') ?? document.body}>
        <Popover.Positioner
          className={styles.positioner}
          anchor={anchor}
          side="top"
          align="center"
          sideOffset={6}
          collisionPadding={8}
        >
          <Popover.Popup className={styles.note} finalFocus={anchor}>
            <Popover.Title className={styles.title}>{t`Not sealed`}</Popover.Title>
            <p>{i18n._(what)}</p>
            <p className={styles.quiet}>{i18n._(helps)}</p>
            <Popover.Close className={styles.close}>{t`Close`}</Popover.Close>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
