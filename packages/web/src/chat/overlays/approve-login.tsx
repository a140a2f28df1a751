// The steps with which a person lets a new device log in, or refuses it.
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { useMirror } from '../client/context.tsx';
import { type Approval, asksForKeys } from '../safety/approval.ts';
import { pinOf } from '../safety/decisions.ts';
import { Words } from '../safety/words.tsx';
import styles from './approve-login.module.css';
import { LoginFacts } from './login-facts.tsx';
import { useApproval } from './use-approval.ts';

export interface ApproveLoginProps {
  readonly approval: Approval;
  readonly onDone: () => void;
}

export function ApproveLogin({ approval, onDone }: ApproveLoginProps) {
  const state = useApproval(approval, onDone);
  const { step, problem, refuse, busy } = state;
  return (
    <div className={styles.content}>
      <LoginFacts login={approval.login} />
      {step === 'about' && <About approval={approval} state={state} />}
      {step === 'lacks-keys' && (
        <p>
          <Trans>
            It asks for the keys of your account, and this browser does not have them. Confirm it on a device that has
            them.
          </Trans>
        </p>
      )}
      {step === 'pin' && <PinForm state={state} />}
      {step === 'words' && <CompareWords state={state} />}
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
      {step !== 'words' && (
        <Button disabled={busy} onClick={() => void refuse()}>
          <Trans>Refuse</Trans>
        </Button>
      )}
    </div>
  );
}

type State = { readonly state: ReturnType<typeof useApproval> };

function About({ approval, state: { offer, begin, busy } }: State & { approval: Approval }) {
  const hasKeys = useMirror(({ trust }) => trust.ownKey === 'ready');
  const count = offer?.keyIds.length ?? 0;
  return (
    <>
      <p>
        <Trans>Is this you, at this moment? Whoever is let in can write in your name, and see your chats.</Trans>
      </p>
      {offer && (
        <p>
          <Plural
            value={count}
            one="It also gets the key of your account, with which it can open your sealed messages."
            other="It also gets the # keys of your account, with which it can open your sealed messages."
          />
        </p>
      )}
      {!offer && asksForKeys(approval) && hasKeys && (
        <p>
          <Trans>It also asks for the keys of your account, with which it can open your sealed messages.</Trans>
        </p>
      )}
      {!offer && !asksForKeys(approval) && (
        <p>
          <Trans>It gets no keys, so your sealed messages do not open there.</Trans>
        </p>
      )}
      <Button look="primary" disabled={busy} onClick={() => void begin()}>
        <Trans>Yes, this is me</Trans>
      </Button>
    </>
  );
}

function PinForm({ state: { enterPin, busy } }: State) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const pin = pinOf(typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (pin !== undefined) void enterPin(pin);
  };
  return (
    <form className={styles.content} onSubmit={submit}>
      <Field
        label={t`PIN on the new device`}
        className={styles.pin}
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint={t`Six digits. Type them only if the device is in front of you.`}
      />
      <Button type="submit" look="primary" disabled={busy || pin === undefined}>
        <Trans>Continue</Trans>
      </Button>
    </form>
  );
}

function CompareWords({ state: { offer, confirmWords, typeAgain, refuse, busy } }: State) {
  const count = offer?.keyIds.length ?? 0;
  return (
    <>
      <p>
        <strong>
          <Trans>Look at the screen of the new device. Does it show exactly these words?</Trans>
        </strong>
      </p>
      <Words words={offer?.words ?? ''} />
      <p>
        <Plural
          value={count}
          one="A device that is let in gets the key of your account, opens your sealed messages, and can write in your name."
          other="A device that is let in gets the # keys of your account, opens your sealed messages, and can write in your name."
        />
      </p>
      <Button look="primary" disabled={busy} onClick={() => void confirmWords()}>
        <Trans>They are the same: let it in</Trans>
      </Button>
      <Button look="danger" disabled={busy} onClick={() => void refuse()}>
        <Trans>They are different: refuse</Trans>
      </Button>
      <p className={styles.hint}>
        <Trans>
          A PIN with a typing mistake also leads to other words. If you are not sure, type it once more. If the words
          are still different, refuse.
        </Trans>
      </p>
      <Button look="quiet" disabled={busy} onClick={typeAgain}>
        <Trans>Type the PIN again</Trans>
      </Button>
    </>
  );
}
