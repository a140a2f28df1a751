// The warning above a one-to-one chat with a stranger or with a blocked person.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../../design/button.tsx';
import { useMirror } from '../../client/context.tsx';
import { nameOf } from '../../client/mirror-state.ts';
import { openOverlay } from '../../overlays/overlays.ts';
import { useContactVerbs } from '../../people/contact-verbs.ts';
import { warningAbout } from '../../people/relation.ts';
import styles from './other-side.module.css';

export function OtherSide({ chatMid }: { chatMid: string }) {
  const warning = useMirror(({ contacts, status }) =>
    chatMid.startsWith('u') && chatMid !== status.session?.mid ? warningAbout(contacts.get(chatMid)) : undefined,
  );
  return warning && <Warning mid={chatMid} blocked={warning === 'blocked'} />;
}

function Warning({ mid, blocked }: { mid: string; blocked: boolean }) {
  const { t } = useLingui();
  const name = useMirror((state) => nameOf(state, mid)) || t`Unknown`;
  const verbs = useContactVerbs(mid, name);
  const report = <Button onClick={() => openOverlay({ kind: 'report', mid })}>{t`Report`}</Button>;
  return (
    <aside className={styles.bar} aria-label={t`About ${name}`}>
      <p>
        {blocked ? (
          <Trans>You blocked {name}. Their messages do not reach you.</Trans>
        ) : (
          <Trans>{name} is not in your contacts.</Trans>
        )}
      </p>
      <div className={styles.buttons}>
        {blocked ? (
          <Button look="primary" onClick={() => void verbs.unblock()}>
            <Trans>Unblock</Trans>
          </Button>
        ) : (
          <>
            <Button look="primary" onClick={() => void verbs.add()}>
              <Trans>Add</Trans>
            </Button>
            <Button onClick={() => void verbs.block()}>
              <Trans>Block</Trans>
            </Button>
          </>
        )}
        {report}
      </div>
    </aside>
  );
}
