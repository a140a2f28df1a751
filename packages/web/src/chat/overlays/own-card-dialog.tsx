// A dialog with the data that other people need to add this account: its user id, its address, and a QR code of the
// address.
import { Trans, useLingui } from '@lingui/react/macro';
import { Copy } from 'lucide-react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { toast } from '../../design/toast.ts';
import { ChatAvatar } from '../chat-avatar.tsx';
import { attempt } from '../client/attempt.ts';
import { useMirror } from '../client/context.tsx';
import { addAddress } from '../people/add-address.ts';
import styles from './own-card-dialog.module.css';

export default function OwnCardDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const profile = useMirror(({ status }) => status.profile);
  if (!profile) return null;
  const { mid, userid, displayName } = profile;
  const address = addAddress(location.href, { mid, userid });
  const copy = (text: string): void =>
    void attempt(async () => {
      await navigator.clipboard.writeText(text);
      toast({ text: t`Copied` });
    });
  return (
    <Dialog open size="s" onClose={onClose} title={t`Let others add you`} closeLabel={t`Close`}>
      <div className={styles.card}>
        <ChatAvatar mid={mid} size="l" />
        <p className={styles.name}>
          <bdi>{displayName}</bdi>
        </p>
        <QrCode text={address} label={t`Code of your address`} />
        <p className={styles.hint}>
          <Trans>Let somebody scan this code with a camera, or send them your address.</Trans>
        </p>
        {userid && (
          <p>
            <Trans>
              Your user id: <code>{userid}</code>
            </Trans>
          </p>
        )}
        {userid && (
          <Button wide icon={<Copy size={18} />} onClick={() => copy(userid)}>
            <Trans>Copy the user id</Trans>
          </Button>
        )}
        <Button wide look="primary" icon={<Copy size={18} />} onClick={() => copy(address)}>
          <Trans>Copy the address</Trans>
        </Button>
      </div>
    </Dialog>
  );
}
