// The settings page for the account itself: the identifiers for the login, the password, ending sessions, exporting the
// data, logging out, and deleting the account.
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../design/button.tsx';
import { useMirror } from '../../client/context.tsx';
import { type AccountChange, openOverlay } from '../../overlays/overlays.ts';
import { settingsPath } from '../../routes.ts';
import styles from './account-page.module.css';
import { ArchiveSection } from './archive-section.tsx';
import { LogoutSection } from './logout-section.tsx';

export function AccountPage() {
  const { t } = useLingui();
  const [, go] = useLocation();
  const profile = useMirror(({ status }) => status.profile);
  if (!profile) return null;
  return (
    <>
      <section aria-label={t`How you log in`}>
        <h3>
          <Trans>How you log in</Trans>
        </h3>
        <dl className={styles.facts}>
          <Fact
            label={t`User id`}
            change="userid"
            value={<code>{profile.userid}</code>}
            button={t`Change the user id`}
          />
          <Fact label={t`E-mail`} change="email" value={shown(profile.email)} button={t`Change the e-mail address`} />
          <Fact label={t`Phone`} change="phone" value={shown(profile.phone)} button={t`Change the phone number`} />
          <Fact label={t`Password`} change="password" value="••••••••" button={t`Change the password`} />
        </dl>
      </section>
      <section aria-label={t`Where you are logged in`}>
        <h3>
          <Trans>Where you are logged in</Trans>
        </h3>
        <p>
          <Trans>See all devices of your account, and log out those that you do not know.</Trans>
        </p>
        <Button onClick={() => go(settingsPath('devices'))}>
          <Trans>Look at my devices</Trans>
        </Button>
      </section>
      <ArchiveSection userid={profile.userid} />
      <LogoutSection />
      <section aria-label={t`Delete the account`}>
        <h3>
          <Trans>Delete the account</Trans>
        </h3>
        <p>
          <Trans>Your account leaves the server for good, and all your devices are logged out.</Trans>
        </p>
        <Button onClick={() => openOverlay({ kind: 'account', change: 'delete' })}>
          <Trans>Delete the account</Trans>
        </Button>
      </section>
    </>
  );
}

const shown = (value: string | undefined): ReactNode => (value ? <code>{value}</code> : <Trans>None</Trans>);

interface FactProps {
  readonly label: string;
  readonly value: ReactNode;
  readonly change: AccountChange;
  /** The label of the button for screen readers. */
  readonly button: string;
}

function Fact({ label, value, change, button }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        <Button aria-label={button} onClick={() => openOverlay({ kind: 'account', change })}>
          <Trans>Change</Trans>
        </Button>
      </dd>
    </div>
  );
}
