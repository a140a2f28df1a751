// Shows which device wants to log in, from where, and since when.

import { Trans, useLingui } from '@lingui/react/macro';
import type { PendingLogin } from '@sealpost/contract';
import { shortTime } from '../../words/full-times.ts';
import { programOf } from '../safety/program-of.ts';
import styles from './approve-login.module.css';

export function LoginFacts({ login }: { login: PendingLogin }) {
  const { t, i18n } = useLingui();
  const { remoteAddress, requestedTime } = login;
  return (
    <dl className={styles.facts} aria-label={t`The device that wants to log in`}>
      <dt>
        <Trans>New device</Trans>
      </dt>
      <dd>
        <bdi>{programOf(login) || t`Unknown`}</bdi>
      </dd>
      <dt>
        <Trans>Address</Trans>
      </dt>
      <dd>{remoteAddress}</dd>
      <dt>
        <Trans>Asked on</Trans>
      </dt>
      <dd>{shortTime(i18n.locale, Number(requestedTime))}</dd>
    </dl>
  );
}
