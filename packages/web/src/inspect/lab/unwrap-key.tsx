// A form that decrypts the private part of a group key from the share of one member.
import { toBase64, unwrapGroupKey } from '@sealpost/crypto';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { messageOf } from '../feed/dev-api.ts';
import { readKey } from './byte-text.ts';
import styles from './message-lab.module.css';

export function UnwrapKey({ onKey }: { readonly onKey: (privateKey: string) => void }) {
  const [wrap, setWrap] = useState('');
  const [member, setMember] = useState('');
  const [creator, setCreator] = useState('');
  const [problem, setProblem] = useState<string>();
  const unwrap = async (): Promise<void> => {
    try {
      setProblem(undefined);
      const [own, other] = [readKey(member, 'The private key'), readKey(creator, 'The public key')];
      onKey(toBase64((await unwrapGroupKey(wrap.trim(), own, other)).privateKey));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <details className={styles.fold}>
      <summary>Unwrap a group key</summary>
      <div className={styles.two}>
        <Field
          label="encryptedSharedKey"
          autoComplete="off"
          value={wrap}
          onChange={({ target }) => setWrap(target.value)}
        />
        <Field
          label="The member’s private key"
          autoComplete="off"
          value={member}
          onChange={({ target }) => setMember(target.value)}
        />
        <Field
          label="The creator’s public key"
          autoComplete="off"
          value={creator}
          onChange={({ target }) => setCreator(target.value)}
        />
        <Button onClick={() => void unwrap()}>Unwrap</Button>
      </div>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </details>
  );
}
