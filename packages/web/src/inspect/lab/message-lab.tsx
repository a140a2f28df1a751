// Opens a message with the given keys, and shows each step.
import { FlaskConical } from 'lucide-react';
import { Empty } from '../../design/empty.tsx';
import { Card } from '../parts/section.tsx';
import { MessageForm } from './message-form.tsx';
import styles from './message-lab.module.css';
import { StepList } from './step-list.tsx';
import { useLab } from './use-lab.ts';

export function MessageLab() {
  const lab = useLab();
  return (
    <div className={styles.lab}>
      <Card title="Open a sealed message">
        <MessageForm lab={lab} />
      </Card>
      <Card title="Step by step">
        {lab.result ? (
          <StepList trace={lab.result} />
        ) : (
          <Empty icon={<FlaskConical />} title="Nothing opened yet">
            Each step shows its formula and its values here. If one fails, you see which one and why.
          </Empty>
        )}
      </Card>
    </div>
  );
}
