// The settings page for what the account is notified about, and for a pause of all notifications.

import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../../design/button.tsx';
import { fullTime } from '../../../words/full-times.ts';
import { attempt } from '../../client/attempt.ts';
import { useMirror, useRemote } from '../../client/context.tsx';
import { type AccountSwitch, AccountSwitches } from './account-switches.tsx';
import { pauseEnd } from './pause.ts';
import styles from './profile-page.module.css';
import { PushSection } from './push-section.tsx';

const switches: readonly AccountSwitch[] = [
  {
    name: 'notificationEnable',
    label: msg`Notifications`,
    hint: msg`If this is off, none of your devices is notified of anything.`,
  },
  {
    name: 'notificationNewMessage',
    label: msg`New messages`,
    hint: msg`Muted chats stay quiet in any case.`,
  },
  {
    name: 'notificationGroupInvitation',
    label: msg`Invitations`,
    hint: msg`When somebody invites you into a group.`,
  },
];

export function NotificationsPage() {
  return (
    <>
      <AccountSwitches switches={switches} />
      <Pause />
      <PushSection />
    </>
  );
}

function Pause() {
  const { t, i18n } = useLingui();
  const { profile } = useRemote();
  const until = useMirror(({ status }) => Number(status.settings?.notificationMuteExpiration ?? 0));
  const paused = until > Date.now();
  const set = (end: number) => void attempt(() => profile.settings.set({ notificationMuteExpiration: end }));
  const lengths = [
    { length: 'hour', label: t`For an hour` },
    { length: 'workday', label: t`For eight hours` },
    { length: 'morning', label: t`Until tomorrow at eight` },
  ] as const;
  return (
    <section aria-label={t`Pause`}>
      <h3>
        <Trans>Pause</Trans>
      </h3>
      {paused ? (
        <>
          <p>
            <Trans>No notifications until {fullTime(i18n.locale, until)}.</Trans>
          </p>
          <Button onClick={() => set(0)}>
            <Trans>End the pause</Trans>
          </Button>
        </>
      ) : (
        <div className={styles.buttons}>
          {lengths.map(({ length, label }) => (
            <Button key={length} onClick={() => set(pauseEnd(length, Date.now()))}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </section>
  );
}
