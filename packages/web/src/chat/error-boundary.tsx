// Shows a notice in place of a part of the page that failed to render. So the rest of the page keeps working.
import { Trans } from '@lingui/react/macro';
import { Component, type ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import styles from './error-boundary.module.css';

interface State {
  readonly error: Error | undefined;
}

export interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** The content to show in place of the broken part. If absent, a notice with a button is shown. */
  readonly fallback?: ReactNode;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      this.props.fallback ?? (
        <div className={styles.broken} role="alert">
          <p>
            <Trans>Something in this page broke. Your messages are safe.</Trans>
          </p>
          <code>{error.message}</code>
          <Button onClick={() => location.reload()}>
            <Trans>Load the page again</Trans>
          </Button>
        </div>
      )
    );
  }
}
