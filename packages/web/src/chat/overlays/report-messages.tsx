// Reports messages to the operator of the server.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReportReason, StoredMessage } from '@sealpost/sdk';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import styles from './overlays.module.css';

export interface ReportMessagesProps {
  readonly messages: readonly StoredMessage[];
  readonly onClose: () => void;
}

export default function ReportMessages({ messages, onClose }: ReportMessagesProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const [reason, setReason] = useState<ReportReason>('ADVERTISING');
  const reasons = [
    ['ADVERTISING', t`Advertising`],
    ['GENDER_HARASSMENT', t`Sexual harassment`],
    ['HARASSMENT', t`Other harassment`],
    ['OTHER', t`Something else`],
  ] as const;
  const report = async (): Promise<void> => {
    onClose();
    if (await attempt(() => remote.reports.messages(messages, [reason]))) toast({ text: t`Reported. Thank you.` });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="s"
      title={t`Report to the operator`}
      closeLabel={t`Close`}
      actions={
        <Button look="danger" onClick={() => void report()}>
          <Plural value={messages.length} one="Report # message" other="Report # messages" />
        </Button>
      }
    >
      <p>
        <Trans>The operator of the server will read these messages, also those that are sealed.</Trans>
      </p>
      <fieldset className={styles.reasons}>
        <legend className={styles.part}>
          <Trans>What is wrong with them?</Trans>
        </legend>
        {reasons.map(([name, label]) => (
          <label key={name}>
            <input type="radio" name="reason" checked={reason === name} onChange={() => setReason(name)} />
            {label}
          </label>
        ))}
      </fieldset>
    </Dialog>
  );
}
