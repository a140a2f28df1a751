// The form for a new account. Problems are shown at their fields, after the user has left the field or sent the form.
import { Trans, useLingui } from '@lingui/react/macro';
import type { RegistrationOffer, SeenInvite } from '@sealpost/contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { announce } from '../../../../access/live-region.tsx';
import { Button } from '../../../../design/button.tsx';
import { Field } from '../../../../design/field.tsx';
import { useSecondsLeft } from '../../../safety/use-seconds-left.ts';
import styles from '../login-screen.module.css';
import { type AccountValues, type FieldProblem, normalUserid, type Problems, problemsOf } from './account-rules.ts';
import { useFieldProblemText } from './field-problem-text.ts';
import { PictureChoice } from './picture-choice.tsx';
import type { Refusal } from './refusal.ts';
import { RefusalText } from './refusal-text.tsx';
import { useFreeCheck } from './use-free-check.ts';
import { useOpening } from './use-opening.ts';
import { WorkProgress } from './work-progress.tsx';

export interface AccountFormProps {
  readonly offer: RegistrationOffer;
  readonly code: string | undefined;
  /** The invite, which may propose values for the fields. */
  readonly invite: SeenInvite | undefined;
  /** Shows the login for a new account that is not logged in. */
  readonly onLogin: (userid: string) => void;
}

export function AccountForm({ offer, code, invite, onLogin }: AccountFormProps) {
  const { t } = useLingui();
  const { step, refusal, isWithoutLogin, uncertain, open } = useOpening(code);
  const [picture, setPicture] = useState<Blob>();
  const form = useAccountFields({ offer, code, invite, refusal, uncertain });
  const mustWait = useSecondsLeft(refusal?.kind === 'wait' ? refusal.until : 0) > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { userid, password, displayName } = form.values;
    if (form.send()) void open({ userid: normalUserid(userid), password, displayName: displayName.trim(), picture });
  };
  if (isWithoutLogin) {
    return (
      <div className={styles.form} role="alert">
        <p>
          <Trans>Your account is there, but the login failed. Log in with your user id and password.</Trans>
        </p>
        <Button look="primary" wide onClick={() => onLogin(normalUserid(form.values.userid))}>
          <Trans>Log in</Trans>
        </Button>
      </div>
    );
  }
  const { userid, displayName, password, again } = form.fields;
  return (
    <form ref={form.ref} className={styles.form} onSubmit={submit} noValidate aria-busy={step !== undefined}>
      <Field label={t`Your name`} hint={t`Others see it.`} autoComplete="name" dir="auto" {...displayName} />
      <Field
        label={t`User id`}
        hint={form.isFree ? t`This user id is free.` : t`You log in with it, and others find you by it.`}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        {...userid}
      />
      <Field
        label={t`Password`}
        hint={t`At least ${offer.password.leastCharacters} characters.`}
        type="password"
        autoComplete="new-password"
        {...password}
      />
      <Field label={t`Password again`} type="password" autoComplete="new-password" {...again} />
      <PictureChoice name={form.values.displayName} picture={picture} onPicture={setPicture} />
      {refusal && (
        <p role="alert" className={styles.problem}>
          <RefusalText refusal={refusal} />
        </p>
      )}
      {step?.kind === 'work' && <WorkProgress share={step.share} />}
      <Button type="submit" look="primary" wide disabled={step !== undefined || mustWait}>
        {step ? t`Creating the account…` : t`Create the account`}
      </Button>
    </form>
  );
}

interface FieldsOptions extends Pick<AccountFormProps, 'offer' | 'code' | 'invite'> {
  readonly refusal: Refusal | undefined;
  readonly uncertain: string | undefined;
}

/** Keeps the typed values, and the problem of each field. */
function useAccountFields({ offer, code, invite, refusal, uncertain }: FieldsOptions) {
  const { t } = useLingui();
  const ref = useRef<HTMLFormElement>(null);
  const problemText = useFieldProblemText(offer);
  const [values, setValues] = useState<AccountValues>(() => ({
    userid: invite?.userid ?? '',
    displayName: invite?.name ?? '',
    password: '',
    again: '',
  }));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Problems>({});
  const [tries, setTries] = useState(0);
  const problems: Problems = { ...refused, ...problemsOf(values, offer) };
  const normal = normalUserid(values.userid);
  // The user id of an account that may be the user's own is not asked about. It would look taken.
  const isFree = useFreeCheck(problems.userid || normal === uncertain ? undefined : normal, code);
  const isTaken = isFree === false;
  useEffect(() => {
    if (isFree === undefined) return;
    announce(isFree ? t`This user id is free.` : t`Somebody else has this user id. Choose another one.`);
  }, [isFree, t]);
  useEffect(() => {
    const names = refusal?.kind === 'fields' ? refusal.fields : refusal?.kind === 'taken' ? (['userid'] as const) : [];
    setRefused(Object.fromEntries(names.map((name) => [name, 'rule'])));
    if (names.length > 0) setTries((count) => count + 1);
  }, [refusal]);
  // The first field with a problem gets the focus, and a screen reader reads the problem aloud.
  useEffect(() => {
    if (tries > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [tries]);

  const isTakenNow = isTaken || (refusal?.kind === 'taken' && refused.userid !== undefined);
  const errorOf = (name: keyof AccountValues, problem: FieldProblem | undefined): string | undefined => {
    if (name === 'userid' && isTakenNow) return t`Somebody else has this user id. Choose another one.`;
    return left.has(name) || tries > 0 ? problemText(name, problem) : undefined;
  };
  const field = (name: keyof AccountValues) => ({
    value: values[name],
    error: errorOf(name, problems[name]),
    required: true,
    onChange: (event: { readonly target: { readonly value: string } }): void => {
      setValues({ ...values, [name]: event.target.value });
      setRefused(({ [name]: _gone, ...others }) => others);
    },
    onBlur: (): void => {
      if (values[name] !== '') setLeft(new Set([...left, name]));
    },
  });
  return {
    ref,
    values,
    isFree,
    fields: {
      userid: field('userid'),
      displayName: field('displayName'),
      password: field('password'),
      again: field('again'),
    },
    /** Returns true if the form can be sent. If not, shows the problems of its fields. */
    send(): boolean {
      if (Object.keys(problemsOf(values, offer)).length === 0 && !isTaken) return true;
      setTries(tries + 1);
      return false;
    },
  };
}
