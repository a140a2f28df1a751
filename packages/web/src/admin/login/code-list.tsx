// Shows recovery codes, with a button to copy them.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../design/button.tsx';
import { copyText } from '../client/copy.ts';
import styles from './login-page.module.css';

export function CodeList({ codes }: { readonly codes: readonly string[] }) {
  const { t } = useLingui();
  return (
    <>
      <ul className={styles.codes} aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button wide onClick={() => void copyText(codes.join('\n'), t`They were copied.`)}>
        <Trans>Copy them</Trans>
      </Button>
    </>
  );
}
