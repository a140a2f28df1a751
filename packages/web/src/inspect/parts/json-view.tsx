// Shows JSON with indentation, and with a colour for each kind of value. Other texts are shown as they are.
import type { ReactNode } from 'react';
import styles from './json-view.module.css';

/** Maximum length in characters of a coloured text. Colouring longer texts would take too long. */
const COLOURED = 60_000;
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns a JSON text with indentation; returns any other text unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon, word] = match;
    const look = string === undefined ? (word === undefined ? 'number' : 'word') : colon ? 'name' : 'string';
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className={styles[look]}>
        {string ?? token}
      </span>,
      colon ?? '',
    );
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}

export interface JsonViewProps {
  readonly label: string;
  /** The JSON text to show. */
  readonly text: string;
}

export function JsonView({ label, text }: JsonViewProps) {
  const shown = indented(text);
  const isJson = shown !== text || /^[[{"]/.test(text);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} aria-label={label} tabIndex={0}>
      <pre className={styles.text}>{isJson && shown.length < COLOURED ? coloured(shown) : shown}</pre>
    </section>
  );
}
