// The safety number of this account and another person. The two people compare it by reading it aloud, scanning a code,
// or pasting it.

import { Trans, useLingui } from '@lingui/react/macro';
import type { ContactTrust } from '@sealpost/sdk';
import { BadgeCheck, ScanLine, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { toast } from '../../design/toast.ts';
import { longDate } from '../../words/full-times.ts';
import { attempt, problemOf } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { nameOf } from '../client/mirror-state.ts';
import { CallError } from '../client/remote.ts';
import { Camera } from './camera.tsx';
import styles from './safety-dialog.module.css';
import { SafetyDigits } from './safety-digits.tsx';

export default function SafetyDialog({ mid, onClose }: { mid: string; onClose: () => void }) {
  const { t } = useLingui();
  const { trust, problem, compare, warn, unmark } = useSafetyNumber(mid);
  const name = useMirror((state) => nameOf(state, mid)) || t`Unknown`;
  return (
    <Dialog open onClose={onClose} title={t`Safety number with ${name}`} closeLabel={t`Close`}>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {trust && (
        <div className={styles.content}>
          <State trust={trust} name={name} />
          <p>
            <Trans>
              If {name} sees the same number, nobody is between you. Compare it in person or on the phone, not in this
              chat.
            </Trans>
          </p>
          {trust.state !== 'verified' && (
            <p>
              <Trans>If {name} sees another number, write nothing secret here until you know why.</Trans>
            </p>
          )}
          <div className={styles.number}>
            <QrCode text={trust.qr} label={t`Safety number as a code`} />
            <SafetyDigits digits={trust.digits} />
          </div>
          {trust.state === 'verified' ? (
            <Button onClick={() => void unmark()}>
              <Trans>Remove the mark</Trans>
            </Button>
          ) : (
            <Compare name={name} digits={trust.digits} compare={compare} warn={warn} />
          )}
        </div>
      )}
    </Dialog>
  );
}

function useSafetyNumber(mid: string) {
  const { t } = useLingui();
  const remote = useRemote();
  const [trust, setTrust] = useState<ContactTrust>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(async (): Promise<void> => {
    try {
      setTrust(await remote.trust.contact(mid));
    } catch (error) {
      setProblem(
        error instanceof CallError && error.name === 'SafetyNumberError'
          ? t`There is no number yet: one of you has no key.`
          : problemOf(error),
      );
    }
  }, [remote, mid, t]);
  useEffect(() => void read(), [read]);
  const warn = (): void =>
    void toast({ text: t`The numbers are different. Do not trust this chat until you know why.`, stays: 15_000 });
  return {
    trust,
    problem,
    /** Marks the safety number as compared, if the code matches the current keys. Otherwise, shows the current number. */
    async compare(code: string): Promise<void> {
      await attempt(async () => {
        const found = await remote.trust.verify(mid, code);
        if (found) setTrust(found);
        else {
          warn();
          await read();
        }
      });
    },
    warn,
    async unmark(): Promise<void> {
      await attempt(() => remote.trust.unverify(mid));
      await read();
    },
  };
}

function State({ trust, name }: { trust: ContactTrust; name: string }) {
  const { i18n } = useLingui();
  if (trust.state === 'unverified') return null;
  if (trust.state === 'changed') {
    return (
      <p className={styles.changed} role="alert">
        <TriangleAlert aria-hidden="true" />
        <Trans>
          The number has changed since you compared it. {name} may have a new device, or somebody else is in between.
          Compare it again.
        </Trans>
      </p>
    );
  }
  const day = longDate(i18n.locale, trust.verified?.time ?? 0);
  return (
    <p className={styles.verified}>
      <BadgeCheck aria-hidden="true" />
      <Trans>You compared this number on {day}.</Trans>
    </p>
  );
}

interface CompareProps {
  readonly name: string;
  readonly digits: string;
  readonly compare: (code: string) => Promise<void>;
  readonly warn: () => void;
}

function Compare({ name, digits, compare, warn }: CompareProps) {
  const { t } = useLingui();
  const [scans, setScans] = useState(false);
  const [code, setCode] = useState('');
  return (
    <>
      {scans ? (
        <Camera
          onCode={(found) => {
            setScans(false);
            void compare(found);
          }}
          onClose={() => setScans(false)}
        />
      ) : (
        <Button icon={<ScanLine size={18} />} onClick={() => setScans(true)}>
          <Trans>Scan the code of {name}</Trans>
        </Button>
      )}
      <form
        className={styles.paste}
        onSubmit={(event) => {
          event.preventDefault();
          void compare(code);
        }}
      >
        <Field
          label={t`Or type or paste their number`}
          autoComplete="off"
          inputMode="numeric"
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" disabled={code.trim() === ''}>
          <Trans>Compare</Trans>
        </Button>
      </form>
      <Button look="primary" onClick={() => void compare(digits)}>
        <Trans>I compared it: it is the same</Trans>
      </Button>
      <Button onClick={warn}>
        <Trans>I compared it: it is different</Trans>
      </Button>
    </>
  );
}
