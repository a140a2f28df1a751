// Opens an account: solves the challenge of an open server, registers, and logs in.
import type { SolvedChallenge } from '@sealpost/contract';
import { useEffect, useRef, useState } from 'react';
import { attempt } from '../../../client/attempt.ts';
import { useRemote } from '../../../client/context.tsx';
import { RegistrationError, registration } from '../../../client/registration.ts';
import type { Remote } from '../../../client/remote.ts';
import { keepOpening, perhapsOpened } from '../lost-opening.ts';
import { type Refusal, refusalOf } from './refusal.ts';

export interface Newcomer {
  readonly userid: string;
  readonly password: string;
  readonly displayName: string;
  readonly picture: Blob | undefined;
}

/** The step that is running. `share` is the finished part of the computation, from 0 to 1. */
export type Step = { readonly kind: 'work'; readonly share: number } | { readonly kind: 'account' };

export interface Opening {
  readonly step: Step | undefined;
  readonly refusal: Refusal | undefined;
  /** True if the account was opened, but the login after it failed. */
  readonly isWithoutLogin: boolean;
  /** The user id of an account that the server may have opened although its answer did not arrive. */
  readonly uncertain: string | undefined;
  readonly open: (newcomer: Newcomer) => Promise<void>;
}

/** @param code the code of an invite; without one, the server must be open */
export function useOpening(code: string | undefined): Opening {
  const remote = useRemote();
  const [step, setStep] = useState<Step>();
  const [refusal, setRefusal] = useState<Refusal>();
  const [isWithoutLogin, setWithoutLogin] = useState(false);
  const proof = useProof(code, setStep);
  const [uncertain, setUncertain] = useState(perhapsOpened);

  async function register({ userid, password, displayName }: Newcomer): Promise<Refusal | undefined> {
    try {
      const proven = await proof.get();
      setStep({ kind: 'account' });
      keepOpening(userid);
      await registration.register({ userid, password, displayName, ...proven });
      return undefined;
    } catch (error) {
      const found = refusalOf(error, Date.now());
      if (found.kind === 'work' || found.kind === 'over') proof.forget();
      const perhaps = isAnswerLost(error) ? userid : uncertain;
      setUncertain(perhaps);
      keepOpening(perhaps);
      return found.kind === 'over' ? overOf(code) : found;
    }
  }

  async function open(newcomer: Newcomer): Promise<void> {
    setRefusal(undefined);
    const wasUncertain = uncertain === newcomer.userid;
    const refused = await register(newcomer);
    const isPerhapsOwn = wasUncertain && (refused?.kind === 'taken' || refused?.kind === 'used-up');
    const isIn = (!refused || isPerhapsOwn) && (await logIn(remote, newcomer));
    setStep(undefined);
    if (isIn) return;
    if (refused) setRefusal(refused);
    else setWithoutLogin(true);
  }
  return { step, refusal, isWithoutLogin, uncertain, open };
}

/** Returns true if an error does not tell whether the server opened the account, such as one of a proxy. */
const isAnswerLost = (error: unknown): boolean =>
  error instanceof RegistrationError ? error.status >= 500 : refusalOf(error, 0).kind === 'network';

type Proven = { readonly code: string } | { readonly solved: SolvedChallenge };

/**
 * Returns the proof that allows opening an account: the code of an invite, or a solved challenge. A solved challenge is
 * kept for another attempt.
 */
function useProof(code: string | undefined, tell: (step: Step) => void) {
  const kept = useRef<SolvedChallenge>(undefined);
  const [leaving] = useState(() => new AbortController());
  // The computation ends when the component is removed.
  useEffect(() => () => leaving.abort(), [leaving]);
  return {
    async get(): Promise<Proven> {
      if (code !== undefined) return { code };
      let percent = -1;
      const onProgress = (share: number): void => {
        if (Math.floor(share * 100) === percent) return;
        percent = Math.floor(share * 100);
        tell({ kind: 'work', share });
      };
      tell({ kind: 'work', share: 0 });
      kept.current ??= await registration.solvedChallenge({ onProgress, signal: leaving.signal });
      return { solved: kept.current };
    },
    forget(): void {
      kept.current = undefined;
    },
  };
}

/** Returns why an invite can no longer be used. If a challenge was used instead, it must be solved again. */
async function overOf(code: string | undefined): Promise<Refusal> {
  if (code === undefined) return { kind: 'work' };
  const { state } = await registration.invite(code).catch(() => ({ state: 'used-up' }) as const);
  return { kind: state === 'usable' ? 'used-up' : state };
}

/** Logs in, and then sets the picture. Returns false if the login fails. */
async function logIn(remote: Remote, { userid, password, picture }: Newcomer): Promise<boolean> {
  const before = location.href;
  // The invite is used up, so a reload must show the messenger. The login replaces this page, so the address is changed
  // before the login.
  history.replaceState(null, '', '/');
  try {
    await remote.engine.login(userid, password);
  } catch {
    history.replaceState(null, '', before);
    return false;
  }
  keepOpening(undefined);
  if (picture) void attempt(() => remote.profile.setPicture(picture));
  return true;
}
