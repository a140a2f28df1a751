// A banner that says that the page is not connected, the reason, and when the page tries again.
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useMirror } from './client/context.tsx';
import styles from './connection-banner.module.css';

const PATIENCE_MS = 1_500;
const TICK_MS = 1_000;

export function ConnectionBanner() {
  const connection = useMirror(({ status }) => status.connection);
  const otherBuild = useMirror((state) => state.otherBuild);
  // If the browser has no free space, the connection ends too. This banner would then wrongly say that messages are
  // kept, so another strip is shown instead.
  const storageFull = useMirror(({ status }) => status.storageFull ?? false);
  const shown = useLate(connection.state !== 'online' && !storageFull);
  if (otherBuild) {
    return (
      <div className={styles.banner} role="status">
        <Trans>A new version is here.</Trans>{' '}
        <button type="button" onClick={() => location.reload()}>
          <Trans>Load it</Trans>
        </button>
      </div>
    );
  }
  if (!shown) return null;
  return (
    <div className={styles.banner} role="status">
      <Reason {...connection} />
    </div>
  );
}

function Reason({ state, reason, retryInMs }: { state: string; reason?: string; retryInMs?: number }) {
  const { t } = useLingui();
  const seconds = useCountdown(retryInMs);
  if (state === 'connecting') return <Trans>Connecting…</Trans>;
  return (
    <>
      <strong>
        <Trans>Not connected.</Trans>
      </strong>{' '}
      {/* Hidden from screen readers, which would otherwise read every second of the countdown aloud. */}
      <span aria-hidden="true">{seconds > 0 ? t`Next try in ${seconds} s.` : t`Trying again…`}</span>{' '}
      <Trans>What you write is kept and sent later.</Trans>
      {reason !== undefined && (
        <details className={styles.reason}>
          <summary>
            <Trans>Details</Trans>
          </summary>
          {reason}
        </details>
      )}
    </>
  );
}

/** Returns true after a condition has been true for a moment, so that the banner does not flash for a short gap. */
function useLate(condition: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!condition) return setLate(false);
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [condition]);
  return late;
}

/** Returns the seconds that are left of a duration. It begins when `ms` is first given, or given with a new value. */
function useCountdown(ms = 0): number {
  const [left, setLeft] = useState(ms);
  useEffect(() => {
    setLeft(ms);
    const timer = setInterval(() => setLeft((now) => Math.max(0, now - TICK_MS)), TICK_MS);
    return () => clearInterval(timer);
  }, [ms]);
  return Math.ceil(left / TICK_MS);
}
