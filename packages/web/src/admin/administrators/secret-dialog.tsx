// Shows a secret once, with a button to copy it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { copyText } from '../client/copy.ts';
import styles from './secret-dialog.module.css';

export interface SecretDialogProps {
  readonly title: string;
  readonly secret: string;
  readonly note: string;
  readonly onClose: () => void;
}

export function SecretDialog({ title, secret, note, onClose }: SecretDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      size="s"
      actions={
        <Button look="primary" icon={<Copy size={18} />} onClick={() => void copyText(secret, t`It was copied.`)}>
          <Trans>Copy</Trans>
        </Button>
      }
    >
      <div className={styles.secret}>
        <p>{note}</p>
        <code>{secret}</code>
      </div>
    </Dialog>
  );
}
