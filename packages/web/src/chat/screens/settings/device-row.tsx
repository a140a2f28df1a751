// One row of the list of devices. The device can be renamed and logged out.
import { Trans, useLingui } from '@lingui/react/macro';
import type { Session } from '@sealpost/contract';
import { LogOut, MonitorSmartphone, Pencil } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { Button, IconButton } from '../../../design/button.tsx';
import { Field } from '../../../design/field.tsx';
import { fullTime } from '../../../words/dates.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { sessionName } from '../../safety/decisions.ts';
import styles from './devices-page.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export interface DeviceRowProps {
  readonly session: Session;
  readonly onChanged: () => Promise<void>;
}

export function DeviceRow({ session, onChanged }: DeviceRowProps) {
  const { t, i18n } = useLingui();
  const remote = useRemote();
  const [mode, setMode] = useState<'rename' | 'end'>();
  const name = sessionName(session) || t`Unknown device`;
  const { loginSessionId, current, lastSeenTime, remoteAddress } = session;
  const time = fullTime(i18n.locale, Number(lastSeenTime));
  const done = async (): Promise<void> => {
    setMode(undefined);
    await onChanged();
  };
  return (
    <li className={styles.device} aria-label={name}>
      <MonitorSmartphone aria-hidden="true" />
      {mode === 'rename' ? (
        <Rename session={session} onDone={done} />
      ) : (
        <>
          <div className={styles.about}>
            <p>
              <strong>
                <bdi>{name}</bdi>
              </strong>
              {current && (
                <span className={styles.current}>
                  <Trans>This browser</Trans>
                </span>
              )}
            </p>
            <p className={styles.quiet}>
              {current ? (
                <Trans>Active now, from {remoteAddress}</Trans>
              ) : (
                <Trans>
                  {time}, from {remoteAddress}
                </Trans>
              )}
            </p>
          </div>
          <IconButton label={t`Rename ${name}`} onClick={() => setMode('rename')}>
            <Pencil />
          </IconButton>
          {!current && (
            <IconButton label={t`Log out ${name}`} onClick={() => setMode('end')}>
              <LogOut />
            </IconButton>
          )}
        </>
      )}
      {mode === 'end' && (
        <Suspense>
          <Confirm
            title={t`Log out this device?`}
            confirmLabel={t`Log it out`}
            onClose={() => void done()}
            onConfirm={() => remote.devices.revoke(loginSessionId)}
          >
            <Trans>
              <bdi>{name}</bdi> must log in again. What it has received until now may stay on it.
            </Trans>
          </Confirm>
        </Suspense>
      )}
    </li>
  );
}

function Rename({ session, onDone }: { session: Session; onDone: () => Promise<void> }) {
  const { t } = useLingui();
  const remote = useRemote();
  const [name, setName] = useState(sessionName(session));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await attempt(() => remote.devices.rename(session.loginSessionId, name.trim()))) await onDone();
  };
  return (
    <form className={styles.rename} onSubmit={(event) => void submit(event)}>
      <Field
        label={t`Name of the device`}
        autoFocus
        maxLength={100}
        value={name}
        onChange={(e) => setName(e.target.value)}
      />
      <Button type="submit" look="primary">
        <Trans>Save</Trans>
      </Button>
      <Button onClick={() => void onDone()}>
        <Trans>Cancel</Trans>
      </Button>
    </form>
  );
}
