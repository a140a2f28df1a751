// A time in a short form, with the exact time as a tooltip.

import { useLingui } from '@lingui/react';
import { fullTime, shortTime } from '../../words/full-times.ts';
import { ago } from './times.ts';

export interface WhenProps {
  /** The time in the format of the admin API. */
  readonly time: string;
  /** True to show the date and the time of day instead of how long ago it was. */
  readonly exact?: boolean;
}

export function When({ time, exact = false }: WhenProps) {
  const { i18n } = useLingui();
  const ms = Date.parse(time);
  return (
    <time dateTime={time} title={fullTime(i18n.locale, ms)}>
      {exact ? shortTime(i18n.locale, ms) : ago(i18n.locale, ms, Date.now())}
    </time>
  );
}
