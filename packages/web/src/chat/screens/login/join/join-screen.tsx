// The screen that opens an account, with an invite, or without one on an open server. It is the page behind the link of
// an invite, and part of the login screen.
import { Trans, useLingui } from '@lingui/react/macro';
import { joinPath } from '@sealpost/contract/join-path';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../../../design/button.tsx';
import { shownName } from '../../../../words/shown-name.ts';
import { useMirror } from '../../../client/context.tsx';
import styles from '../login-screen.module.css';
import { perhapsOpened } from '../lost-opening.ts';
import { AccountForm } from './account-form.tsx';
import { CodeForm } from './code-form.tsx';
import joinStyles from './join-screen.module.css';
import { PerhapsOpened } from './perhaps-opened.tsx';
import type { Refusal } from './refusal.ts';
import { RefusalText } from './refusal-text.tsx';
import { type Entry, useEntry } from './use-entry.ts';

/** Returns the code in the address of the page; undefined if the page is another one or the address has no code. */
const codeInAddress = (): string | undefined => (location.pathname === joinPath && location.hash.slice(1)) || undefined;

export interface JoinScreenProps {
  readonly onBack: () => void;
  /** Shows the login with this user id. */
  readonly onLogin: (userid: string) => void;
}

export default function JoinScreen({ onBack, onLogin }: JoinScreenProps) {
  const isLoggedIn = useMirror(({ status }) => status.phase === 'open');
  const heading = useRef<HTMLHeadingElement>(null);
  const [code, setCode] = useState(codeInAddress);
  useEffect(() => {
    // A new link in the address bar changes only the part after #, so the browser does not reload the page.
    const follow = (): void => setCode(codeInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  // The pressed button disappears together with its form, so the heading gets the focus. If the page was opened by a
  // link, no button was pressed.
  const isPressed = useRef(location.pathname !== joinPath);
  const keepFocus = useCallback((): void => {
    if (isPressed.current && document.activeElement === document.body) heading.current?.focus();
    isPressed.current = true;
  }, []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        <Trans>Create an account</Trans>
      </h1>
      {isLoggedIn ? <LoggedIn /> : <Ways {...{ code, onBack, onLogin }} onCode={setCode} onShown={keepFocus} />}
    </>
  );
}

interface WaysProps extends JoinScreenProps {
  readonly code: string | undefined;
  readonly onCode: (code: string) => void;
  /** Called when the content changes. */
  readonly onShown: () => void;
}

function Ways({ code, onCode, onBack, onLogin, onShown }: WaysProps) {
  const [entry, again] = useEntry(code);
  const [opened] = useState(perhapsOpened);
  const [asks, setAsks] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an entry, or the question for a code, is shown.
  useEffect(() => {
    if (entry.kind !== 'loading') onShown();
  }, [entry, asks, onShown]);
  if (entry.kind === 'loading') return <div aria-busy="true" />;
  const useCode = (typed: string): void => {
    setAsks(false);
    onCode(typed);
  };
  const isForm = entry.kind === 'open' && !asks;
  return (
    <>
      {opened !== undefined && <PerhapsOpened userid={opened} onLogin={onLogin} />}
      {(asks || entry.kind === 'code-needed') && <CodeForm onCode={useCode} />}
      {isForm && <Intro entry={entry} />}
      {isForm && <AccountForm key={code} {...entry} onLogin={onLogin} />}
      {entry.kind === 'refused' && !asks && (
        <Refused
          refusal={entry.refusal}
          // The account that may exist has probably used the invite.
          isExplained={opened !== undefined && entry.refusal.kind === 'used-up'}
          onAgain={again}
          onOther={() => setAsks(true)}
        />
      )}
      {isForm && code === undefined && (
        <Button look="quiet" wide onClick={() => setAsks(true)}>
          <Trans>I have an invitation</Trans>
        </Button>
      )}
      <Button look="quiet" wide onClick={onBack}>
        <Trans>I have an account: log in</Trans>
      </Button>
    </>
  );
}

/** Says who invites, and on which server the account will be. */
function Intro({ entry: { invite } }: { entry: Extract<Entry, { kind: 'open' }> }) {
  const from = shownName(invite?.from ?? '');
  const { host } = location;
  return (
    <div className={joinStyles.intro}>
      {invite && <p>{from ? <Trans>{from} invites you.</Trans> : <Trans>You are invited.</Trans>}</p>}
      <p>
        <Trans>
          Your account will be on the server <strong>{host}</strong>.
        </Trans>
      </p>
      <p className={joinStyles.quiet}>
        <Trans>With it you write to other people on this server. What you write is sealed on your device.</Trans>
      </p>
    </div>
  );
}

interface RefusedProps {
  readonly refusal: Refusal;
  /** True if another text on the page already tells the reason. */
  readonly isExplained: boolean;
  readonly onAgain: () => void;
  /** Lets the user type another code. */
  readonly onOther: () => void;
}

function Refused({ refusal, isExplained, onAgain, onOther }: RefusedProps) {
  const canRepeat = refusal.kind === 'network' || refusal.kind === 'wait' || refusal.kind === 'other';
  return (
    <div className={styles.form}>
      {!isExplained && (
        <p role="alert" className={styles.problem}>
          <RefusalText refusal={refusal} />
        </p>
      )}
      {canRepeat && (
        <Button look="primary" wide onClick={onAgain}>
          <Trans>Try again</Trans>
        </Button>
      )}
      {!canRepeat && refusal.kind !== 'closed' && (
        <Button wide onClick={onOther}>
          <Trans>Enter another code</Trans>
        </Button>
      )}
    </div>
  );
}

/** The content for somebody who opens the link of an invite in a browser that is already logged in. */
function LoggedIn() {
  const { t } = useLingui();
  const name = useMirror(({ status }) => shownName(status.profile?.displayName ?? ''));
  return (
    <div className={styles.form}>
      <p>
        <Trans>{name} is logged in here. Log out before you open another account, or use another browser for it.</Trans>
      </p>
      <Button look="primary" wide onClick={() => location.assign('/')}>
        {t`Open the messenger`}
      </Button>
    </div>
  );
}
