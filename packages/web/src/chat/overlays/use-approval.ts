// Runs the steps in which a person lets a new device log in, or refuses it.
import { useLingui } from '@lingui/react/macro';
import type { KeyOffer } from '@sealpost/sdk';
import { useEffect, useState } from 'react';
import { toast } from '../../design/toast.ts';
import { problemOf } from '../client/attempt.ts';
import { useMirror, useRemote } from '../client/context.tsx';
import { CallError } from '../client/remote.ts';
import { type Approval, type ApprovalStep, afterPin, asksForKeys, firstStep } from '../safety/approval.ts';

export function useApproval(approval: Approval, onDone: () => void) {
  const { t } = useLingui();
  const remote = useRemote();
  const { login, address } = approval;
  const hasKeys = useMirror(({ trust }) => trust.ownKey === 'ready');
  const [step, setStep] = useState<ApprovalStep>(() => firstStep(approval, hasKeys));
  const [offer, setOffer] = useState<KeyOffer>();
  const [pinCode, setPinCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (address !== undefined) remote.devices.offer(address).then(setOffer, () => undefined);
  }, [remote, address]);

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      const { error: name, kind } = error instanceof CallError ? error.fields : {};
      if (kind === 'pin') {
        setProblem(t`The PIN is wrong. Type it again.`);
        setStep('pin');
      } else if (name === 'NOT_FOUND' || name === 'INVALID_STATE') {
        toast({ text: t`This login is over.` });
        onDone();
      } else setProblem(problemOf(error));
    } finally {
      setBusy(false);
    }
  }
  const letIn = async (pin: string, words?: string): Promise<void> => {
    if (address === undefined) await remote.devices.approve(login, { pinCode: pin, words });
    else await remote.devices.submitPin(address, { pinCode: pin, words });
    toast({ text: t`The device was let in.` });
    onDone();
  };
  return {
    step,
    offer,
    busy,
    problem,
    begin: () =>
      run(async () => {
        if (address !== undefined) await remote.devices.approve(login);
        setStep('pin');
      }),
    enterPin: (pin: string) =>
      run(async () => {
        setPinCode(pin);
        const offered = asksForKeys(approval) ? await remote.devices.offer(login, pin) : offer;
        setOffer(offered);
        if (afterPin(offered) === 'words') setStep('words');
        else await letIn(pin);
      }),
    typeAgain: () => setStep('pin'),
    confirmWords: () => run(() => letIn(pinCode, offer?.words)),
    refuse: () =>
      run(async () => {
        await remote.devices.deny(login.loginId);
        toast({ text: t`The device was refused.` });
        onDone();
      }),
  };
}
