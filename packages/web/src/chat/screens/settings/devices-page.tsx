// The settings page with the devices that are logged in to the account. A new device can be added there.

import { Trans, useLingui } from '@lingui/react/macro';
import type { Session } from '@sealpost/contract';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { fullTime } from '../../../words/full-times.ts';
import { problemOf } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { takeUp, useWaitingLogins } from '../../guard/pending-store.ts';
import { inOrder } from '../../safety/decisions.ts';
import { programOf } from '../../safety/program-of.ts';
import { DeviceRow } from './device-row.tsx';
import styles from './devices-page.module.css';

const AddDeviceDialog = lazy(() => import('../../overlays/add-device-dialog.tsx'));
const Confirm = lazy(() => import('../../overlays/confirm.tsx'));

export function DevicesPage() {
  const { t } = useLingui();
  const remote = useRemote();
  const { sessions, problem, readAgain } = useSessions();
  const [open, setOpen] = useState<'add' | 'end-others'>();
  const close = (): void => {
    setOpen(undefined);
    void readAgain();
  };
  const others = sessions?.filter(({ current }) => !current).length ?? 0;
  return (
    <>
      <Button look="primary" icon={<Plus size={18} />} onClick={() => setOpen('add')}>
        <Trans>Add a device</Trans>
      </Button>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {!sessions && problem === undefined && <Skeleton width="100%" height="220px" />}
      <WaitingLogins />
      <ul className={styles.devices}>
        {sessions?.map((session) => (
          <DeviceRow key={session.loginSessionId} session={session} onChanged={readAgain} />
        ))}
      </ul>
      {others > 0 && (
        <Button onClick={() => setOpen('end-others')}>
          <Trans>Log out all other devices</Trans>
        </Button>
      )}
      <Suspense>
        {open === 'add' && <AddDeviceDialog onClose={close} />}
        {open === 'end-others' && (
          <Confirm
            title={t`Log out all other devices?`}
            confirmLabel={t`Log them out`}
            onClose={close}
            onConfirm={() => remote.devices.revokeOthers()}
          >
            <Trans>Each of them must log in again. What it has received until now may stay on it.</Trans>
          </Confirm>
        )}
      </Suspense>
    </>
  );
}

/** Lists the devices that wait until somebody confirms their login. */
function WaitingLogins() {
  const { t, i18n } = useLingui();
  const logins = useWaitingLogins();
  return (
    <ul className={styles.devices} aria-label={t`Waiting to be let in`}>
      {logins.map((login) => {
        const { loginId, remoteAddress, requestedTime } = login;
        const name = programOf(login) || t`Unknown device`;
        const time = fullTime(i18n.locale, Number(requestedTime));
        return (
          <li key={loginId} className={styles.device} aria-label={name}>
            <KeyRound aria-hidden="true" />
            <div className={styles.about}>
              <p>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <span className={styles.current}>
                  <Trans>Waiting to be let in</Trans>
                </span>
              </p>
              <p className={styles.quiet}>
                <Trans>
                  Asked on {time}, from {remoteAddress}
                </Trans>
              </p>
            </div>
            <Button onClick={() => takeUp(loginId)}>
              <Trans>Decide</Trans>
            </Button>
          </li>
        );
      })}
    </ul>
  );
}

function useSessions() {
  const remote = useRemote();
  const [sessions, setSessions] = useState<readonly Session[]>();
  const [problem, setProblem] = useState<string>();
  const readAgain = useCallback(async (): Promise<void> => {
    try {
      setSessions(inOrder(await remote.devices.sessions()));
      setProblem(undefined);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, [remote]);
  useEffect(() => void readAgain(), [readAgain]);
  return { sessions, problem, readAgain };
}
