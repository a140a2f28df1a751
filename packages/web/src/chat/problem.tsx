// A screen for problems that the page cannot solve: an old browser, an address without https, or a failed start.
import { Trans, useLingui } from '@lingui/react/macro';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { Empty } from '../design/empty.tsx';

export interface ProblemProps {
  readonly kind: 'secure-context' | 'locks' | 'failed';
  readonly detail?: string | undefined;
}

export default function Problem({ kind, detail }: ProblemProps) {
  const { t } = useLingui();
  const titles = {
    'secure-context': t`This address is not secure`,
    locks: t`This browser is too old`,
    failed: t`The messenger could not start`,
  };
  const explanations = {
    'secure-context': t`Browsers keep keys only on pages that came over https. Ask the operator for an address that begins with https.`,
    locks: t`Please use a newer version of your browser.`,
    failed: detail ?? '',
  };
  return (
    <main>
      <Empty
        icon={<TriangleAlert />}
        title={titles[kind]}
        action={
          kind === 'failed' && (
            <Button onClick={() => location.reload()}>
              <Trans>Load the page again</Trans>
            </Button>
          )
        }
      >
        {explanations[kind]}
      </Empty>
    </main>
  );
}
