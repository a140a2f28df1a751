// Shows a link once: as a QR code, and with a button to copy it.
import { Trans, useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { copyText } from '../client/copy.ts';
import styles from './link-dialog.module.css';

export interface LinkDialogProps {
  readonly title: string;
  readonly link: string;
  readonly note: string;
  readonly onClose: () => void;
}

export default function LinkDialog({ title, link, note, onClose }: LinkDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      closeLabel={t`Close`}
      size="s"
      actions={
        <Button look="primary" icon={<Copy size={18} />} onClick={() => void copyText(link, t`The link was copied.`)}>
          <Trans>Copy the link</Trans>
        </Button>
      }
    >
      <div className={styles.link}>
        <QrCode text={link} label={t`Code of the link`} />
        <code>{link}</code>
        <p>{note}</p>
      </div>
    </Dialog>
  );
}
