// A strip with an alarm about keys. It stays until the person confirms having seen it.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { TriangleAlert } from 'lucide-react';
import { useLocation } from 'wouter';
import { Button } from '../../design/button.tsx';
import { cx } from '../../design/cx.ts';
import { attempt } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import type { Alarm } from '../client/protocol.ts';
import { openOverlay } from '../overlays/overlays.ts';
import { settingsPath } from '../routes.ts';
import { AcceptLog } from '../safety/accept-log.tsx';
import { alarmReason } from '../safety/reasons.ts';
import styles from './strip.module.css';

export function AlarmStrip({ alarm, more }: { alarm: Alarm; more: number }) {
  const { i18n, t } = useLingui();
  const remote = useRemote();
  const [, go] = useLocation();
  const me = useMirror(({ status }) => status.session?.mid);
  const { mid, reason, detail } = alarm;
  const name = useMirror((state) => (mid === undefined || mid === me ? '' : nameOf(state, mid)));
  const texts = alarmReason(reason);
  return (
    <section className={cx(styles.strip, styles.alarm)} aria-label={t`Warning`} aria-live="assertive">
      <TriangleAlert aria-hidden="true" />
      <div className={styles.text}>
        <p>
          {name !== '' && (
            <>
              <bdi>{name}</bdi>:{' '}
            </>
          )}
          <strong>{texts ? i18n._(texts.what) : detail}</strong>
        </p>
        {texts && <p>{i18n._(texts.helps)}</p>}
        {more > 0 && (
          <p>
            <Plural value={more} one="There is another warning." other="There are # more warnings." />
          </p>
        )}
      </div>
      <div className={styles.buttons}>
        {mid !== undefined && mid !== me && (
          <Button onClick={() => openOverlay({ kind: 'safety', mid })}>
            <Trans>Compare the safety number</Trans>
          </Button>
        )}
        <AcceptLog reason={reason} />
        {reason === 'own-key-unknown' && (
          <Button onClick={() => go(settingsPath('devices'))}>
            <Trans>Look at my devices</Trans>
          </Button>
        )}
        <Button look="quiet" onClick={() => void attempt(() => remote.engine.markAlarmSeen(alarm.id))}>
          <Trans>I have seen it</Trans>
        </Button>
      </div>
    </section>
  );
}
