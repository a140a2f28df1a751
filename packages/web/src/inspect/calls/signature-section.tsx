// Explains why a signature was refused: from which data the server computed it, and where the sent signature differs.
import type { SignatureFinding } from '@sealpost/contract/workbench';
import { Pairs, Section } from '../parts/section.tsx';
import styles from './signature-section.module.css';

export function SignatureSection({ finding }: { readonly finding: SignatureFinding }) {
  const { state, ingredients, expected, given, cause, difference } = finding;
  return (
    <Section title="Signature" note={state}>
      <div className={styles.cause}>
        <p className={styles.strong}>{cause ?? titles[state]}</p>
        {difference !== undefined && <p className={styles.difference}>{difference}</p>}
      </div>
      {expected !== undefined && given !== undefined && (
        <Pairs
          pairs={[
            ['expected', expected],
            ['given', <Marked key="given" text={given} expected={expected} />],
          ]}
        />
      )}
      <h4 className={styles.title}>What the server made it of</h4>
      <Pairs pairs={ingredients.map(({ name, value }) => [name, value] as const)} />
    </Section>
  );
}

const titles: Readonly<Record<SignatureFinding['state'], string>> = {
  right: 'The signature is right.',
  wrong: 'The signature is wrong, and no single likely mistake makes it. Compare each ingredient below with yours.',
  absent: 'The call has no signature: set the header X-Hmac.',
};

/** Shows a signature, with the first character that differs highlighted. */
function Marked({ text, expected }: { readonly text: string; readonly expected: string }) {
  const at = [...text].findIndex((character, index) => character !== expected[index]);
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark className={styles.mark}>{text[at]}</mark>
      {text.slice(at + 1)}
    </>
  );
}
