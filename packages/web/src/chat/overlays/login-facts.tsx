// Shows which device wants to log in, from where, and since when.
import { Trans, useLingui } from '@lingui/react/macro';
import type { PendingLogin } from '@sealpost/contract';
import { deviceTitle } from '../../words/browser-name.ts';
import { timeOfDay } from '../../words/dates.ts';
import styles from './approve-login.module.css';

export function LoginFacts({ login }: { login: PendingLogin }) {
  const { t, i18n } = useLingui();
  const { systemName, modelName, remoteAddress, requestedTime } = login;
  return (
    <dl className={styles.facts}>
      <dt>
        <Trans>Device</Trans>
      </dt>
      <dd>
        <bdi>{[systemName, modelName].map(deviceTitle).filter(Boolean).join(' · ') || t`Unknown`}</bdi>
      </dd>
      <dt>
        <Trans>Address</Trans>
      </dt>
      <dd>{remoteAddress}</dd>
      <dt>
        <Trans>Asked at</Trans>
      </dt>
      <dd>{timeOfDay(i18n.locale, Number(requestedTime))}</dd>
    </dl>
  );
}
