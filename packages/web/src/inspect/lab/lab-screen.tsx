// The sealing lab: opens a sealed message step by step, makes test vectors, and shows how keys are created and
// exchanged.
import { lazy, Suspense } from 'react';
import styles from './lab-screen.module.css';
import { MessageLab } from './message-lab.tsx';
import { VectorsCard } from './vectors-card.tsx';

const Pictures = lazy(() => import('./pictures.tsx'));

export default function LabScreen() {
  return (
    <div className={styles.screen}>
      <div className={styles.content}>
        <MessageLab />
        <VectorsCard />
        <Suspense>
          <Pictures />
        </Suspense>
      </div>
    </div>
  );
}
