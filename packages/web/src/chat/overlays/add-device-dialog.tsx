// A dialog that lets a new device log in. The person scans the QR code of the device, or pastes its address.
import { Trans, useLingui } from '@lingui/react/macro';
import { ScanLine } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { problemOf } from '../client/attempt.ts';
import { useRemote } from '../client/context.tsx';
import { CallError } from '../client/remote.ts';
import type { Approval } from '../safety/approval.ts';
import { isLoginAddress } from '../safety/decisions.ts';
import styles from './approve-login.module.css';
import { ApproveLogin } from './approve-login.tsx';
import { Camera } from './camera.tsx';

export default function AddDeviceDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const [approval, setApproval] = useState<Approval>();
  return (
    <Dialog open onClose={onClose} title={approval ? t`Let this device in?` : t`Add a device`} closeLabel={t`Close`}>
      {approval ? <ApproveLogin approval={approval} onDone={onClose} /> : <FindDevice onFound={setApproval} />}
    </Dialog>
  );
}

function FindDevice({ onFound }: { onFound: (approval: Approval) => void }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [scans, setScans] = useState(false);
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<string>();

  async function scan(text: string): Promise<void> {
    const address = text.trim();
    setScans(false);
    if (!isLoginAddress(address)) return setProblem(t`This is not the code of a login.`);
    try {
      onFound({ login: await remote.devices.scan(address), address });
    } catch (error) {
      const name = error instanceof CallError ? error.fields.error : undefined;
      const isOver = name === 'NOT_FOUND' || name === 'INVALID_STATE';
      setProblem(isOver ? t`This code was used or has expired. Show a new one on the other device.` : problemOf(error));
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void scan(pasted);
  };

  return (
    <div className={styles.content}>
      <p>
        <Trans>
          On the new device, open this server's page and choose “Log in with another device”. Scan the code only from
          its screen, never from a message or a web page.
        </Trans>
      </p>
      {scans ? (
        <Camera onCode={(text) => void scan(text)} onClose={() => setScans(false)} />
      ) : (
        <Button look="primary" icon={<ScanLine size={18} />} onClick={() => setScans(true)}>
          <Trans>Scan the code</Trans>
        </Button>
      )}
      <form className={styles.content} onSubmit={submit}>
        <Field
          label={t`Or paste the address from the new device`}
          autoComplete="off"
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          error={problem}
        />
        <Button type="submit" disabled={pasted.trim() === ''}>
          <Trans>Continue</Trans>
        </Button>
      </form>
    </div>
  );
}
