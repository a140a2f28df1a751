// The page as a whole: what it shows depends on whether somebody is logged in.
import { useLingui } from '@lingui/react/macro';
import { joinPath } from '@sealpost/contract/join-path';
import { lazy, Suspense, useDeferredValue } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { LiveRegion } from '../access/live-region.tsx';
import { part } from '../words/part.ts';
import { type ChatClient, ClientProvider, useMirror } from './client/context.tsx';
import type { missingFeature } from './client/start.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';

const ToastRegion = lazy(() => import('../design/toast-region.tsx'));
const Problem = part(() => import('./problem.tsx'));
const LoginScreen = part(() => import('./screens/login/login-screen.tsx'));

export interface AppProps {
  readonly client: ChatClient | undefined;
  readonly missing: ReturnType<typeof missingFeature>;
}

export function App({ client, missing }: AppProps) {
  const { t } = useLingui();
  if (!client)
    return (
      <Suspense>
        <Problem kind={missing ?? 'locks'} />
      </Suspense>
    );
  return (
    <ErrorBoundary>
      <ClientProvider client={client}>
        <Router hook={useHashLocation}>
          <Suspense fallback={<div aria-busy="true" />}>
            <Phase />
          </Suspense>
          <LiveRegion />
          <ErrorBoundary fallback={null}>
            <Suspense>
              <ToastRegion label={t`Messages of the page`} closeLabel={t`Close`} />
            </Suspense>
          </ErrorBoundary>
        </Router>
      </ClientProvider>
    </ErrorBoundary>
  );
}

function Phase() {
  const phase = useMirror(({ status }) => status.phase);
  const problem = useMirror(({ status }) => status.problem);
  const ready = useMirror((state) => state.ready);
  const isKnown = ready && phase !== 'starting';
  // The first screen is shown when its code is loaded. Otherwise, React would show a placeholder for at least 300 ms.
  const isShown = useDeferredValue(isKnown, false);
  if (phase === 'failed') return <Problem kind="failed" detail={problem?.message} />;
  // The page stays empty until it is known which screen is the first one. That takes less than a second.
  if (!isKnown || !isShown) return <div aria-busy="true" />;
  // Somebody who is already logged in opened the link of an invite. The screen for new accounts tells them so.
  if (phase === 'open' && location.pathname !== joinPath) return <Shell />;
  return <LoginScreen />;
}
