// Shows how much time is left until a point in time, as minutes and seconds.
import { Trans } from '@lingui/react/macro';
import { duration } from '../../words/numbers.ts';
import { useSecondsLeft } from './use-seconds-left.ts';
import styles from './wait-for-device.module.css';

const SECOND_MS = 1_000;

export function Countdown({ until }: { until: number }) {
  const left = duration(useSecondsLeft(until) * SECOND_MS);
  return (
    <p className={styles.countdown} role="timer">
      <Trans>{left} left</Trans>
    </p>
  );
}
