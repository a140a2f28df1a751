// A question before something that cannot be taken back, as a hook for lists with many such buttons.
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { act } from '../client/act.ts';

const Ask = lazy(() => import('./ask.tsx'));

/** A question that was asked, and what a yes does. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly verb: string;
  readonly done: string;
  readonly run: () => Promise<unknown>;
}

/** Returns the function that asks a question, and the dialog. */
export function useQuestion(after: () => Promise<void>): [ask: (question: Question) => void, dialog: ReactNode] {
  const [question, setQuestion] = useState<Question>();
  const dialog = question && (
    <Suspense>
      <Ask
        title={question.title}
        verb={question.verb}
        onYes={() => act(question.run, { done: question.done, after })}
        onClose={() => setQuestion(undefined)}
      >
        <p>{question.text}</p>
      </Ask>
    </Suspense>
  );
  return [setQuestion, dialog];
}
