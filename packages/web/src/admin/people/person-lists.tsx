// Lists of what belongs to an account: waiting logins, sessions, certificates and keys, each with its actions.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AccountLogin, AccountSession, Certificate } from '@sealpost/sdk/admin';
import { Button } from '../../design/button.tsx';
import { act } from '../client/act.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { OrNone } from '../parts/or-none.tsx';
import { Section, Shown, Tag } from '../parts/page.tsx';
import { useQuestion } from '../parts/question.tsx';
import { RowFact, Rows, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';

interface OfAccount {
  readonly account: string;
}

/** Returns the name of a device; an empty text if the device told none. */
const deviceOf = ({ name = '', systemName, modelName }: Partial<AccountSession>): string =>
  name || [systemName, modelName].filter(Boolean).join(' · ');

export function Logins({ account }: OfAccount) {
  const { t } = useLingui();
  const logins = useLoaded(account, async () => (await adminClient().listLogins({ account })).logins, 10_000);
  const nameOf = ({ modelName, systemName }: AccountLogin): string =>
    deviceOf({ modelName, systemName }) || t`Unknown device`;
  const [ask, dialog] = useQuestion(logins.reload);
  if (logins.data?.length === 0) return null;
  return (
    <Section
      title={t`Waiting logins`}
      note={
        <Trans>
          These devices wait to be let in. Approve one only if its owner asked you to, and has no other device.
        </Trans>
      }
    >
      <Shown of={logins} rows={1}>
        {(items) => (
          <Rows label={t`Waiting logins`} items={items} keyOf={({ loginId }) => loginId}>
            {(login) => (
              <>
                <RowText title={<bdi>{nameOf(login)}</bdi>}>{login.remoteAddress}</RowText>
                <Button
                  onClick={() =>
                    ask({
                      title: t`Let ${nameOf(login)} in?`,
                      text: t`Whoever holds this device can then read and write as this account.`,
                      verb: t`Approve`,
                      done: t`The device was let in.`,
                      run: () => adminClient().approveLogin({ account, login: login.loginId }),
                    })
                  }
                >
                  <Trans>Approve</Trans>
                </Button>
                <Button
                  onClick={() =>
                    void act(() => adminClient().denyLogin({ account, login: login.loginId }), {
                      done: t`The device was refused.`,
                      after: logins.reload,
                    })
                  }
                >
                  <Trans>Refuse</Trans>
                </Button>
              </>
            )}
          </Rows>
        )}
      </Shown>
      {dialog}
    </Section>
  );
}

export function Sessions({ account }: OfAccount) {
  const { t } = useLingui();
  const sessions = useLoaded(account, async () => (await adminClient().listSessions({ account })).sessions);
  const [ask, dialog] = useQuestion(sessions.reload);
  const some = (sessions.data?.length ?? 0) > 0;
  return (
    <Section
      title={t`Sessions`}
      actions={
        some && (
          <Button
            onClick={() =>
              ask({
                title: t`End all sessions?`,
                text: t`The account is logged out on all devices, and must log in again.`,
                verb: t`End all`,
                done: t`All sessions ended.`,
                run: () => adminClient().endSessions({ account }),
              })
            }
          >
            <Trans>End all</Trans>
          </Button>
        )
      }
    >
      <OrNone of={sessions} none={t`The account is logged in nowhere.`}>
        {(items) => (
          <Rows label={t`Sessions`} items={items} keyOf={({ loginSessionId }) => loginSessionId}>
            {(session) => {
              const { loginSessionId, remoteAddress, lastSeenTime } = session;
              const shown = deviceOf(session) || t`Unknown device`;
              return (
                <>
                  <RowText title={<bdi>{shown}</bdi>}>{remoteAddress}</RowText>
                  <RowFact wide>
                    <Trans>
                      seen <When time={lastSeenTime} />
                    </Trans>
                  </RowFact>
                  <Button
                    aria-label={t`End the session ${shown}`}
                    onClick={() =>
                      ask({
                        title: t`End the session ${shown}?`,
                        text: t`The device is logged out at once.`,
                        verb: t`End`,
                        done: t`The session ended.`,
                        run: () => adminClient().endSession({ account, session: loginSessionId }),
                      })
                    }
                  >
                    <Trans>End</Trans>
                  </Button>
                </>
              );
            }}
          </Rows>
        )}
      </OrNone>
      {dialog}
    </Section>
  );
}

interface TrustedDevice extends Certificate {
  /** The session of the device; undefined if the device is logged out. */
  readonly session: AccountSession | undefined;
}

async function trustedDevices(account: string): Promise<TrustedDevice[]> {
  const [{ certificates }, { sessions }] = await Promise.all([
    adminClient().listCertificates({ account }),
    adminClient().listSessions({ account }),
  ]);
  const byId = new Map(sessions.map((session) => [session.loginSessionId, session]));
  return certificates.map((certificate) => ({
    ...certificate,
    session: byId.get(certificate.loginSessionId ?? ''),
  }));
}

export function Certificates({ account }: OfAccount) {
  const { t } = useLingui();
  const certificates = useLoaded(account, () => trustedDevices(account));
  const titleOf = ({ loginSessionId, session }: TrustedDevice): string => {
    if (session) return deviceOf(session) || t`Unknown device`;
    return loginSessionId === undefined ? t`Unknown device` : t`A device that is logged out`;
  };
  const [ask, dialog] = useQuestion(certificates.reload);
  const some = (certificates.data?.length ?? 0) > 0;
  return (
    <Section
      title={t`Trusted devices`}
      note={<Trans>They hold a certificate, and can log in without being confirmed again.</Trans>}
      actions={
        some && (
          <Button
            onClick={() =>
              ask({
                title: t`Stop trusting all devices?`,
                text: t`Each device must be confirmed at its next login. Sessions go on.`,
                verb: t`Stop trusting all`,
                done: t`No device is trusted any more.`,
                run: () => adminClient().revokeCertificates({ account }),
              })
            }
          >
            <Trans>Stop trusting all</Trans>
          </Button>
        )
      }
    >
      <OrNone of={certificates} none={t`No device is trusted.`}>
        {(items) => (
          <Rows label={t`Trusted devices`} items={items} keyOf={({ id }) => id}>
            {(device) => (
              <>
                <RowText title={<bdi>{titleOf(device)}</bdi>}>
                  <code>{device.id.slice(0, 16)}</code>
                </RowText>
                <RowFact wide>
                  <Trans>
                    since <When time={device.createdTime} exact />
                  </Trans>
                </RowFact>
                <Button
                  onClick={() =>
                    ask({
                      title: t`Stop trusting this device?`,
                      text: t`It must be confirmed at its next login. Its session goes on.`,
                      verb: t`Stop trusting`,
                      done: t`The device is no longer trusted.`,
                      run: () => adminClient().revokeCertificate({ account, certificate: device.id }),
                    })
                  }
                >
                  <Trans>Stop trusting</Trans>
                </Button>
              </>
            )}
          </Rows>
        )}
      </OrNone>
      {dialog}
    </Section>
  );
}

export function Keys({ account }: OfAccount) {
  const { t } = useLingui();
  const keys = useLoaded(account, async () => (await adminClient().listKeys({ account })).keys);
  return (
    <Section
      title={t`Public keys`}
      note={<Trans>Messages to the account are sealed with the current one. The server has no private key.</Trans>}
    >
      <OrNone of={keys} none={t`The account has no key, so messages to it are not sealed.`}>
        {(items) => (
          <Rows label={t`Public keys`} items={items.toReversed()} keyOf={({ keyId }) => String(keyId)}>
            {({ keyId, keyData, createdTime, current }) => (
              <>
                <RowText
                  title={
                    <>
                      <Trans>Key {keyId}</Trans>
                      {current && <Tag look="calm">{t`current`}</Tag>}
                    </>
                  }
                >
                  <code>{keyData}</code>
                </RowText>
                <RowFact wide>
                  <Trans>
                    since <When time={createdTime} exact />
                  </Trans>
                </RowFact>
              </>
            )}
          </Rows>
        )}
      </OrNone>
    </Section>
  );
}
