// One row of the list of devices. The device can be renamed and logged out.

import { Trans, useLingui } from '@lingui/react/macro';
import type { Session } from '@sealpost/contract';
import { LogOut, MonitorSmartphone, Pencil } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Field } from '../../../design/field.tsx';
import { fullTime, shortTime } from '../../../words/full-times.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { sessionName } from '../../safety/decisions.ts';
import { programOf } from '../../safety/program-of.ts';
import styles from './devices-page.module.css';

const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export interface DeviceRowProps {
  readonly session: Session;
  readonly onChanged: () => Promise<void>;
}

export function DeviceRow({ session, onChanged }: DeviceRowProps) {
  const { t } = useLingui();
  const remote = useRemote();
  const [mode, setMode] = useState<'rename' | 'end'>();
  const name = sessionName(session) || t`Unknown device`;
  const { loginSessionId, current } = session;
  const done = async (): Promise<void> => {
    setMode(undefined);
    await onChanged();
  };
  return (
    <li className={styles.device} aria-label={name} aria-current={current}>
      <MonitorSmartphone aria-hidden="true" />
      {mode === 'rename' ? (
        <Rename session={session} onDone={done} />
      ) : (
        <div className={styles.about}>
          <p>
            <strong>
              <bdi>{name}</bdi>
            </strong>
            {current && (
              <span className={styles.current}>
                <Trans>This device</Trans>
              </span>
            )}
          </p>
          <Facts session={session} />
          <div className={styles.actions}>
            <Button icon={<Pencil size={16} />} aria-label={t`Rename ${name}`} onClick={() => setMode('rename')}>
              <Trans>Rename</Trans>
            </Button>
            {!current && (
              <Button icon={<LogOut size={16} />} aria-label={t`Log out ${name}`} onClick={() => setMode('end')}>
                <Trans>Log out</Trans>
              </Button>
            )}
          </div>
        </div>
      )}
      {mode === 'end' && (
        <Suspense>
          <Confirm
            title={t`Log out this device?`}
            confirmLabel={t`Log it out`}
            onClose={() => void done()}
            onConfirm={() => remote.devices.revoke(loginSessionId)}
          >
            <div className={styles.question}>
              <p>
                <Trans>
                  <bdi>{name}</bdi> must log in again. What it has received until now may stay on it.
                </Trans>
              </p>
              <Facts session={session} />
            </div>
          </Confirm>
        </Suspense>
      )}
    </li>
  );
}

/** What tells apart two devices of the same name: the program, when it was used and logged in, and from where. */
function Facts({ session }: { session: Session }) {
  // Without a name of its own, a device is called by its program.
  const program = programOf(session);
  const { current, lastSeenTime, createdTime, remoteAddress } = session;
  return (
    <dl className={styles.facts}>
      {program && program !== sessionName(session) && (
        <>
          <dt>
            <Trans>Application</Trans>
          </dt>
          <dd>
            <bdi>{program}</bdi>
          </dd>
        </>
      )}
      <dt>
        <Trans>Last used</Trans>
      </dt>
      <dd>{current ? <Trans>Now</Trans> : <Time time={Number(lastSeenTime)} />}</dd>
      <dt>
        <Trans>Logged in</Trans>
      </dt>
      <dd>
        <Time time={Number(createdTime)} />
      </dd>
      <dt>
        <Trans>Address</Trans>
      </dt>
      <dd>{remoteAddress}</dd>
    </dl>
  );
}

function Time({ time }: { time: number }) {
  const { i18n } = useLingui();
  return (
    <time dateTime={new Date(time).toISOString()} title={fullTime(i18n.locale, time)}>
      {shortTime(i18n.locale, time)}
    </time>
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
        dir="auto"
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
