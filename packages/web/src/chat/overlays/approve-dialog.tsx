// The dialog in which a person lets a new device log in, or refuses it.
import { useLingui } from '@lingui/react/macro';
import { Dialog } from '../../design/dialog.tsx';
import type { Approval } from '../safety/approval.ts';
import { ApproveLogin } from './approve-login.tsx';

export interface ApproveDialogProps {
  readonly title: string;
  readonly approval: Approval;
  readonly onClose: () => void;
}

export default function ApproveDialog({ title, approval, onClose }: ApproveDialogProps) {
  const { t } = useLingui();
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t`Decide later`}>
      <ApproveLogin approval={approval} onDone={onClose} />
    </Dialog>
  );
}
