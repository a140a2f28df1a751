// Information about this page and its server.
import { Trans, useLingui } from '@lingui/react/macro';
import { useMirror } from '../../client/context.tsx';
import styles from './account-page.module.css';

export function AboutPage() {
  const { t } = useLingui();
  const version = useMirror(({ status }) => status.server?.version);
  return (
    <>
      <p>
        <Trans>Sealpost is a messenger for everybody to run. What you write is sealed on your device.</Trans>
      </p>
      <dl className={styles.facts}>
        <div>
          <dt>{t`Server`}</dt>
          <dd>{location.host}</dd>
        </div>
        <div>
          <dt>{t`Version`}</dt>
          <dd>
            <Trans>
              server {version}, page {import.meta.env.VITE_PAGE_VERSION}
            </Trans>
          </dd>
        </div>
        <div>
          <dt>{t`Licence`}</dt>
          <dd>Apache-2.0</dd>
        </div>
      </dl>
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          <Trans>Documents of this server</Trans>
        </a>
      </p>
      <p>
        <a href="/third-party-notices.txt" target="_blank" rel="noreferrer">
          <Trans>Licences of the libraries in this page</Trans>
        </a>
      </p>
    </>
  );
}
