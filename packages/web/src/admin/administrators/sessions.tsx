// Lists the sessions of administrators. The current session has no button here, because the button to log out ends it.
import { Trans, useLingui } from '@lingui/react/macro';
import type { AdminSession } from '@sealpost/sdk/admin';
import { Button } from '../../design/button.tsx';
import { browserName } from '../../words/browser-name.ts';
import { adminClient } from '../client/session.ts';
import { useLoaded } from '../client/use-loaded.ts';
import { Section, Shown, Tag } from '../parts/page.tsx';
import { useQuestion } from '../parts/question.tsx';
import { RowFact, Rows, RowText } from '../parts/rows.tsx';
import { When } from '../parts/when.tsx';

export function Sessions() {
  const { t } = useLingui();
  const sessions = useLoaded('admin-sessions', async () => (await adminClient().listAdminSessions()).sessions);
  const [ask, dialog] = useQuestion(sessions.reload);
  const end = ({ id, administrator }: AdminSession): void =>
    ask({
      title: t`End this session of ${administrator}?`,
      text: t`That browser is logged out at once.`,
      verb: t`End`,
      done: t`The session ended.`,
      run: () => adminClient().endAdminSession({ session: id }),
    });
  return (
    <Section title={t`Sessions`} note={<Trans>The browsers in which administrators are logged in now.</Trans>}>
      <Shown of={sessions} rows={2}>
        {(items) => (
          <Rows label={t`Sessions`} items={items} keyOf={({ id }) => id}>
            {(session) => (
              <>
                <RowText
                  title={
                    <>
                      <bdi>{session.administrator}</bdi>
                      {session.current && <Tag look="calm">{t`this browser`}</Tag>}
                    </>
                  }
                >
                  <bdi title={session.userAgent}>{browserName(session.userAgent)}</bdi> · {session.remoteAddress}
                </RowText>
                <RowFact wide>
                  <Trans>
                    seen <When time={session.lastSeenTime} />
                  </Trans>
                </RowFact>
                {!session.current && (
                  <Button aria-label={t`End the session of ${session.administrator}`} onClick={() => end(session)}>
                    <Trans>End</Trans>
                  </Button>
                )}
              </>
            )}
          </Rows>
        )}
      </Shown>
      {dialog}
    </Section>
  );
}
