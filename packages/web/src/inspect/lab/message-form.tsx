// The form of the lab for a sealed message and the keys to open it.
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Area } from '../parts/fields.tsx';
import { BackupKeys } from './backup-keys.tsx';
import styles from './message-lab.module.css';
import { MessagePicker } from './message-picker.tsx';
import { UnwrapKey } from './unwrap-key.tsx';
import type { Lab } from './use-lab.ts';

interface OfLab {
  readonly lab: Lab;
}

export const MessageForm = ({ lab }: OfLab) => (
  <form className={styles.form} onSubmit={(event) => void lab.open(event)}>
    <MessageFields lab={lab} />
    <KeyFields lab={lab} />
    <div className={styles.buttons}>
      <Button type="submit" look="primary">
        Open it
      </Button>
      <Button disabled={lab.given.text === ''} onClick={() => void lab.lookUp()}>
        Look the keys up on this server
      </Button>
    </div>
    {lab.problem !== undefined && (
      <p className={styles.problem} role="alert">
        {lab.problem}
      </p>
    )}
  </form>
);

function MessageFields({ lab }: OfLab) {
  const { given, set } = lab;
  return (
    <>
      <Area
        label="Sealed message"
        hint="Its five chunks as a JSON list, the whole message, an operation, or a test vector"
        value={given.text}
        onChange={({ target }) => lab.paste(target.value)}
      />
      <MessagePicker onPick={(message) => lab.paste(JSON.stringify(message, null, 2))} />
      <div className={styles.three}>
        <Field label="To" placeholder="mid" value={given.to} onChange={({ target }) => set({ to: target.value })} />
        <Field
          label="From"
          placeholder="mid"
          value={given.from}
          onChange={({ target }) => set({ from: target.value })}
        />
        <Field
          label="Content type"
          inputMode="numeric"
          placeholder="0"
          pattern="\d{1,3}"
          value={given.contentType}
          onChange={({ target }) => set({ contentType: target.value })}
        />
      </div>
    </>
  );
}

function KeyFields({ lab }: OfLab) {
  const { given, known, set } = lab;
  return (
    <>
      <Field
        label="Private key"
        hint="Of the receiver, the sender, or the group: base64 or hex. It stays in this page."
        required
        autoComplete="off"
        value={given.privateKey}
        onChange={({ target }) => set({ privateKey: target.value })}
      />
      <BackupKeys onKey={(privateKey) => set({ privateKey })} />
      <UnwrapKey onKey={(privateKey) => set({ privateKey })} />
      <Field
        label="Public key of the other side"
        hint={
          known.length > 0
            ? `Looked up: ${known.map(({ owner, keyId }) => `key ${keyId} of ${owner}`).join(', ')}`
            : 'Left empty, it is taken from the keys that the server knows.'
        }
        autoComplete="off"
        value={given.publicKey}
        onChange={({ target }) => set({ publicKey: target.value })}
      />
    </>
  );
}
