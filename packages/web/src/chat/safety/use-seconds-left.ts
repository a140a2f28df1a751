// Counts down to a time.
import { useEffect, useState } from 'react';

const TICK_MS = 1_000;

const secondsUntil = (time: number, now: number): number => Math.max(0, Math.ceil((time - now) / TICK_MS));

/** Returns the seconds until a time in epoch milliseconds; 0 from then on. */
export function useSecondsLeft(time: number): number {
  const [left, setLeft] = useState(() => secondsUntil(time, Date.now()));
  useEffect(() => {
    const count = (): void => setLeft(secondsUntil(time, Date.now()));
    count();
    const timer = setInterval(count, TICK_MS);
    return () => clearInterval(timer);
  }, [time]);
  return left;
}
