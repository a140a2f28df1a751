// A card that makes test vectors for the user's own implementation.
import { type FormEvent, useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { download, tried } from '../parts/hand-out.ts';
import { Card } from '../parts/section.tsx';
import { vectorsOf } from './vectors.ts';
import styles from './vectors-card.module.css';

export function VectorsCard() {
  const [seed, setSeed] = useState('my client');
  const make = (event: FormEvent): void => {
    event.preventDefault();
    void tried(async () => download('letter-sealing-vectors.json', await vectorsOf(seed)));
  };
  return (
    <Card title="Vectors for your own implementation">
      <p className={styles.quiet}>
        Messages of both versions, of every type and kind of chat, messages that must be refused, and wrapped group
        keys. The same seed gives the same file, and its form is that of the published vectors.
      </p>
      <form className={styles.line} onSubmit={make}>
        <Field label="Seed" required value={seed} onChange={({ target }) => setSeed(target.value)} />
        <Button type="submit">Download the vectors</Button>
      </form>
    </Card>
  );
}
