// The screen for the login: by password, or by a QR code. A device that is already logged in scans that code. People
// without an account can open one from here, or by the link of an invite.
import { Trans, useLingui } from '@lingui/react/macro';
import { joinPath } from '@sealpost/contract/join-path';
import { Stamp } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { part } from '../../../words/part.ts';
import { useMirror, useMirrorActions } from '../../client/context.tsx';
import { forgetAccount } from '../../client/forget-account.ts';
import { EndedNote } from './ended-note.tsx';
import { JoinButton } from './join-button.tsx';
import styles from './login-screen.module.css';
import { PasswordLogin } from './password-login.tsx';
import { QrLogin } from './qr-login.tsx';

const JoinScreen = part(() => import('./join/join-screen.tsx'));

export default function LoginScreen() {
  const { t } = useLingui();
  const [joins, setJoins] = useState(location.pathname === joinPath);
  const card = useRef<HTMLElement>(null);
  const [isBack, setBack] = useState(false);
  const [userid, setUserid] = useState('');
  const { store } = useMirrorActions();
  const hasChats = useMirror(({ chats }) => chats.size > 0);
  const isSignedOut = useMirror(({ status }) => status.phase === 'signed-out');
  useEffect(() => {
    if (isSignedOut) forgetAccount();
  }, [isSignedOut]);
  // The next account on this page must see nothing of an account whose session ended here. The engine may tell the
  // state of that account once more.
  // biome-ignore lint/correctness/useExhaustiveDependencies: chats that come later are removed too
  useEffect(() => {
    const people = { chats: new Map(), order: [], contacts: new Map() };
    const messages = { conversations: new Map(), outbox: new Map(), mentioned: new Map(), transfers: new Map() };
    store.setState({ ...people, ...messages, notices: [] });
  }, [store, hasChats]);
  useEffect(() => {
    if (isBack) [...(card.current?.querySelectorAll('input') ?? [])].find(({ value }) => value === '')?.focus();
  }, [isBack]);
  const leave = (known = ''): void => {
    setUserid(known);
    if (location.pathname === joinPath) history.replaceState(null, '', '/');
    setJoins(false);
    setBack(true);
  };
  return (
    <main className={styles.screen}>
      <section ref={card} className={styles.card} aria-label={joins ? t`Create an account` : t`Log in`}>
        <span className={styles.mark} aria-hidden="true">
          <Stamp />
        </span>
        {joins ? (
          <Suspense fallback={<div aria-busy="true" />}>
            <JoinScreen onBack={() => leave()} onLogin={leave} />
          </Suspense>
        ) : (
          <Login
            userid={userid}
            onJoin={() => {
              setJoins(true);
              setBack(false);
            }}
          />
        )}
      </section>
    </main>
  );
}

/** @param userid the user id that the form begins with */
function Login({ userid, onJoin }: { userid: string; onJoin: () => void }) {
  const [byQr, setByQr] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  return (
    <>
      <h1>Sealpost</h1>
      <p className={styles.about}>
        <Trans>Private messages, sealed from your device to theirs.</Trans>
      </p>
      {!isWaiting && <EndedNote />}
      {byQr ? <QrLogin onBack={() => setByQr(false)} /> : <PasswordLogin userid={userid} onWaiting={setWaiting} />}
      {!byQr && !isWaiting && (
        <>
          <Button look="quiet" wide onClick={() => setByQr(true)}>
            <Trans>Log in with another device</Trans>
          </Button>
          <JoinButton onJoin={onJoin} />
        </>
      )}
    </>
  );
}
