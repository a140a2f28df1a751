// The time that is left, as minutes and seconds.
import { Trans } from '@lingui/react/macro';
import { minutesAndSeconds, useSecondsLeft } from './use-seconds-left.ts';
import styles from './wait-for-device.module.css';

export function Countdown({ until }: { until: number }) {
  const left = minutesAndSeconds(useSecondsLeft(until));
  return (
    <p className={styles.countdown} role="timer">
      <Trans>{left} left</Trans>
    </p>
  );
}
