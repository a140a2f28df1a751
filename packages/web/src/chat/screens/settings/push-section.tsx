// The settings for notifications that this browser shows while the page is closed.
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { keepNotificationWords } from '../../../service-worker/notification-words.ts';
import { registerWorker } from '../../../service-worker/register.ts';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { scriptUrl } from '../../client/start.ts';
import { keepStorage } from '../../keep-storage.ts';
import { chosenQuiet, type PushState, pushState, type QuietHours, turnOff, turnOn } from '../../push-state.ts';
import styles from './settings-screen.module.css';

const NIGHT: QuietHours = { from: '22:00', to: '07:00' };
/** How long the background part of the page may take to start before the page says that something is wrong. */
const PATIENCE_MS = 5_000;

export function PushSection() {
  const { t } = useLingui();
  const { push } = useRemote();
  const me = useMirror(({ status }) => status.session?.mid ?? '');
  const [state, setState] = useState<PushState>();
  const [quiet, setQuiet] = useState(chosenQuiet);
  useEffect(() => void pushState().then(setState), []);

  /** The last call to the server. The next one waits for it, so that the last choice is the one that holds. */
  const saved = useRef(Promise.resolve());
  const save = (call: () => Promise<PushState>): void => {
    const mine = saved.current.then(async () => {
      await attempt(async () => setState(await call()));
      if (saved.current === mine) setQuiet(chosenQuiet());
    });
    saved.current = mine;
  };
  const on = (hours: QuietHours | undefined): void => {
    setQuiet(hours);
    save(async () => {
      await keepNotificationWords({ title: 'Sealpost', body: t`You have a new message.` });
      const now = await turnOn(push, me, hours);
      // A browser may agree once it shows notifications.
      if (now === 'on') keepStorage(true).catch(() => undefined);
      return now;
    });
  };

  return (
    <section aria-label={t`Notifications on this device`}>
      <h3>
        <Trans>Notifications on this device</Trans>
      </h3>
      <p>
        <Trans>They say that there is something new, and nothing else: no text and no name leaves your chats.</Trans>
      </p>
      {state === undefined && <NotReady />}
      {state === 'unsupported' && (
        <p>
          <Trans>
            This browser has no notifications for pages. On an iPhone or iPad, add this page to the home screen first,
            and open it from there. Elsewhere, use another browser.
          </Trans>
        </p>
      )}
      {state === 'denied' && (
        <p>
          <Trans>
            This browser refuses notifications for this page. Allow them in the settings of the browser for this page,
            then load the page again.
          </Trans>
        </p>
      )}
      {state === 'off' && (
        <Button onClick={() => on(quiet)}>
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
              onChange={(event) => on(event.target.checked ? NIGHT : undefined)}
            />
          </label>
          {quiet && <QuietTimes saved={quiet} onChange={on} />}
          <Button onClick={() => save(() => turnOff(push))}>
            <Trans>Turn off</Trans>
          </Button>
        </>
      )}
    </section>
  );
}

/** What stands here until the service worker, which shows notifications, is ready. In some browsers it never is. */
function NotReady() {
  const [tries, setTries] = useState(0);
  const [isLate, setLate] = useState(false);
  /** What the browser said when it refused the service worker. */
  const [said, setSaid] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try waits again.
  useEffect(() => {
    setLate(false);
    setSaid(undefined);
    registerWorker(scriptUrl)?.catch((error: unknown) =>
      setSaid(error instanceof Error ? error.message : String(error)),
    );
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [tries]);
  if (!isLate) {
    return (
      <p role="status">
        <Trans>Asking this browser whether notifications are on…</Trans>
      </p>
    );
  }
  return (
    <>
      <div role="status" className={styles.problem}>
        <p>
          <strong>
            <Trans>Notifications do not work in this browser now.</Trans>
          </strong>
        </p>
        <p>
          <Trans>
            The part of this page that shows them runs in the background, and the browser has not started it. Private
            windows and blocked site data prevent that; on a slow connection it takes longer.
          </Trans>
        </p>
        {said !== undefined && (
          <p>
            <Trans>The browser says: {said}</Trans>
          </p>
        )}
        <p>
          <Trans>Open this page in a normal window, allow it to store data, and try again.</Trans>
        </p>
      </div>
      <Button onClick={() => setTries(tries + 1)}>
        <Trans>Try again</Trans>
      </Button>
    </>
  );
}

/** The fields of the quiet hours. They keep what the person types; hours are saved when both fields have a time. */
function QuietTimes({ saved, onChange }: { saved: QuietHours; onChange: (quiet: QuietHours) => void }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(saved);
  const change = (hours: QuietHours): void => {
    setTyped(hours);
    if (hours.from && hours.to) onChange(hours);
  };
  return (
    <p className={styles.choice}>
      <input
        type="time"
        aria-label={t`Quiet from`}
        value={typed.from}
        onChange={(event) => change({ ...typed, from: event.target.value })}
      />
      <input
        type="time"
        aria-label={t`Quiet until`}
        value={typed.to}
        onChange={(event) => change({ ...typed, to: event.target.value })}
      />
    </p>
  );
}
