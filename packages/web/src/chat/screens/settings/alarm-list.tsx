// Lists all warnings about keys that this browser has stored, also those that were marked as seen.

import { Trans, useLingui } from '@lingui/react/macro';
import { fullTime } from '../../../words/full-times.ts';
import { useMirror } from '../../client/context.tsx';
import { AcceptLog } from '../../safety/accept-log.tsx';
import { alarmReason } from '../../safety/reasons.ts';
import styles from './security-page.module.css';

export function AlarmList() {
  const { t, i18n } = useLingui();
  const alarms = useMirror(({ trust }) => trust.alarms);
  return (
    <section aria-label={t`Warnings about keys`}>
      <h3>
        <Trans>Warnings about keys</Trans>
      </h3>
      {alarms.length === 0 && (
        <p>
          <Trans>There are none. This browser checks the keys of your contacts and your own by itself.</Trans>
        </p>
      )}
      <ul className={styles.alarms}>
        {alarms.map(({ id, reason, time, detail, accepted }) => {
          const texts = alarmReason(reason);
          return (
            <li key={id}>
              <p>
                <strong>{texts ? i18n._(texts.what) : detail}</strong>
              </p>
              {texts && <p>{i18n._(texts.helps)}</p>}
              {!accepted && <AcceptLog reason={reason} />}
              <p className={styles.quiet}>{fullTime(i18n.locale, time)}</p>
              <details className={styles.details}>
                <summary>
                  <Trans>For a report</Trans>
                </summary>
                <code lang="en">{detail}</code>
              </details>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
