// A dialog that reports a user, the messages of a group or room, or chosen messages, to the operator of the server.
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReportReason, StoredMessage } from '@sealpost/sdk';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog, useIsOpen } from '../../design/dialog.tsx';
import { RadioList } from '../../design/radio-list.tsx';
import { Switch } from '../../design/switch.tsx';
import { toast } from '../../design/toast.ts';
import { attempt } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import { reportableMessages } from '../people/reportable.ts';
import styles from './form.module.css';

export interface ReportDialogProps {
  readonly mid: string;
  /** The messages to report. Without them, the last loaded messages of other people can be reported. */
  readonly chosen?: readonly StoredMessage[] | undefined;
  readonly onClose: () => void;
}

export default function ReportDialog({ mid, chosen, onClose }: ReportDialogProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const isPerson = mid.startsWith('u');
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const name = useMirror((state) => state.chats.get(mid)?.name || nameOf(state, mid));
  const loaded = useMirror(({ conversations }) => conversations.get(mid)?.messages);
  const messages = chosen ?? reportableMessages(loaded ?? [], me);
  const [reason, setReason] = useState<ReportReason>();
  const [along, setAlong] = useState(false);
  const [sending, setSending] = useState(false);
  const isOpen = useIsOpen();
  const reasons: { value: ReportReason; label: string }[] = [
    { value: 'ADVERTISING', label: t`Advertising` },
    { value: 'SCAM', label: t`Fraud` },
    { value: 'HARASSMENT', label: t`Harassment` },
    { value: 'GENDER_HARASSMENT', label: t`Sexual harassment` },
    { value: 'IMPERSONATION', label: t`Pretends to be somebody else` },
    { value: 'OTHER', label: t`Something else` },
  ];
  const withMessages = messages.length > 0 && (along || !isPerson || chosen !== undefined);
  const send = async (): Promise<void> => {
    if (reason === undefined) return;
    setSending(true);
    const report = () =>
      withMessages ? remote.reports.messages(messages, [reason]) : remote.reports.user(mid, [reason]);
    if (await attempt(report)) {
      toast({ text: t`The operator has your report.` });
      if (isOpen()) onClose();
    }
    setSending(false);
  };
  return (
    <Dialog
      open
      size="s"
      onClose={onClose}
      title={
        chosen ? plural(chosen.length, { one: 'Report # message', other: 'Report # messages' }) : t`Report ${name}`
      }
      closeLabel={t`Close`}
      actions={
        <>
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            look="primary"
            disabled={reason === undefined || sending || (!isPerson && messages.length === 0)}
            onClick={() => void send()}
          >
            <Trans>Send the report</Trans>
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <RadioList label={t`What is wrong?`} choices={reasons} value={reason} onChange={setReason} />
        {isPerson && !chosen && messages.length > 0 && (
          <Switch
            label={t`Send the last messages along`}
            hint={t`The operator can then read them, also those that were sealed.`}
            checked={along}
            onChange={(on) => {
              setAlong(on);
              return undefined;
            }}
          />
        )}
        <p className={styles.hint}>
          <WhoReads what={chosen ? 'chosen' : withMessages ? 'last' : isPerson ? 'person' : 'nothing'} />
        </p>
      </div>
    </Dialog>
  );
}

function WhoReads({ what }: { what: 'chosen' | 'last' | 'person' | 'nothing' }) {
  switch (what) {
    case 'chosen':
      return <Trans>The operator of the server will read these messages, also those that are sealed.</Trans>;
    case 'last':
      return <Trans>The operator of this server gets the last messages of others in this chat, as you see them.</Trans>;
    case 'person':
      return <Trans>The operator of this server reads reports. The person is not told.</Trans>;
    case 'nothing':
      return <Trans>There is no message of others here that could be reported.</Trans>;
  }
}
