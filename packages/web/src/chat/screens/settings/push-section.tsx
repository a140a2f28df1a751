// The settings for notifications that this browser shows while the page is closed.
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { keepNotificationWords } from '../../../service-worker/notification-words.ts';
import { attempt } from '../../client/attempt.ts';
import { useRemote } from '../../client/context.tsx';
import { chosenQuiet, type PushState, pushState, type QuietHours, turnOff, turnOn } from './push-state.ts';
import styles from './settings-screen.module.css';

const NIGHT: QuietHours = { from: '22:00', to: '07:00' };

export function PushSection() {
  const { t } = useLingui();
  const { push } = useRemote();
  const [state, setState] = useState<PushState>();
  const [quiet, setQuiet] = useState(chosenQuiet);
  useEffect(() => void pushState().then(setState), []);

  const on = (hours: QuietHours | undefined): Promise<boolean> =>
    attempt(async () => {
      await keepNotificationWords({ title: 'Sealpost', body: t`You have a new message.` });
      setState(await turnOn(push, hours));
      setQuiet(hours);
    });
  const off = (): Promise<boolean> => attempt(async () => setState(await turnOff(push)));

  return (
    <section aria-label={t`Notifications on this device`}>
      <h3>
        <Trans>Notifications on this device</Trans>
      </h3>
      <p>
        <Trans>They say that there is something new, and nothing else: no text and no name leaves your chats.</Trans>
      </p>
      {state === 'unsupported' && (
        <p>
          <Trans>This browser has no notifications for pages.</Trans>
        </p>
      )}
      {state === 'denied' && (
        <p>
          <Trans>You refused notifications for this page. Allow them in the settings of the browser.</Trans>
        </p>
      )}
      {state === 'off' && (
        <Button onClick={() => void on(quiet)}>
          <Trans>Turn on</Trans>
        </Button>
      )}
      {state === 'on' && (
        <>
          <label className={styles.choice}>
            <Trans>Quiet at night</Trans>
            <input
              type="checkbox"
              checked={quiet !== undefined}
              onChange={(event) => void on(event.target.checked ? NIGHT : undefined)}
            />
          </label>
          {quiet && <QuietTimes quiet={quiet} onChange={(hours) => void on(hours)} />}
          <Button onClick={() => void off()}>
            <Trans>Turn off</Trans>
          </Button>
        </>
      )}
    </section>
  );
}

function QuietTimes({ quiet, onChange }: { quiet: QuietHours; onChange: (quiet: QuietHours) => void }) {
  const { t } = useLingui();
  return (
    <p className={styles.choice}>
      <input
        type="time"
        aria-label={t`Quiet from`}
        value={quiet.from}
        onChange={(event) => event.target.value && onChange({ ...quiet, from: event.target.value })}
      />
      <input
        type="time"
        aria-label={t`Quiet until`}
        value={quiet.to}
        onChange={(event) => event.target.value && onChange({ ...quiet, to: event.target.value })}
      />
    </p>
  );
}
