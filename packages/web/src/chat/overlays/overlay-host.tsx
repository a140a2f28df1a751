// Shows the dialog that is open, if there is one. The code of a dialog is loaded when it is first opened.
import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../error-boundary.tsx';
import { closeOverlay, type Overlay, useOverlay } from './overlays.ts';

const AccountDialog = lazy(() => import('./account-dialog.tsx'));
const AskDialog = lazy(() => import('./ask-dialog.tsx'));
const NewChatDialog = lazy(() => import('./new-chat-dialog.tsx'));
const AddPeopleDialog = lazy(() => import('./add-people-dialog.tsx'));
const OwnCardDialog = lazy(() => import('./own-card-dialog.tsx'));
const ReportDialog = lazy(() => import('./report-dialog.tsx'));
const PictureDialog = lazy(() => import('./picture-dialog.tsx'));
const ForwardDialog = lazy(() => import('./forward-dialog.tsx'));
const InfoDialog = lazy(() => import('./info-dialog.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const KeySheet = lazy(() => import('./key-sheet.tsx'));
const SafetyDialog = lazy(() => import('./safety-dialog.tsx'));
const BackupDialog = lazy(() => import('./backup-dialog.tsx'));
const KeysDialog = lazy(() => import('./keys-dialog.tsx'));
const SealDialog = lazy(() => import('./seal-dialog.tsx'));

export function OverlayHost() {
  const overlay = useOverlay();
  if (!overlay) return null;
  return (
    <ErrorBoundary key={overlay.kind}>
      <Suspense fallback={null}>
        <Shown {...overlay} />
      </Suspense>
    </ErrorBoundary>
  );
}

function Shown(overlay: Overlay) {
  const onClose = closeOverlay;
  switch (overlay.kind) {
    case 'account':
      return <AccountDialog change={overlay.change} onClose={onClose} />;
    case 'ask':
      return <AskDialog question={overlay} />;
    case 'new-chat':
      return <NewChatDialog onClose={onClose} />;
    case 'add-people':
      return <AddPeopleDialog chatMid={overlay.chatMid} onClose={onClose} />;
    case 'own-card':
      return <OwnCardDialog onClose={onClose} />;
    case 'report':
      return <ReportDialog mid={overlay.mid} chosen={overlay.messages} onClose={onClose} />;
    case 'picture':
      return <PictureDialog mid={overlay.mid} onClose={onClose} />;
    case 'forward':
      return <ForwardDialog messages={overlay.messages} onClose={onClose} />;
    case 'info':
      return <InfoDialog chatMid={overlay.chatMid} messageId={overlay.messageId} onClose={onClose} />;
    case 'palette':
      return <Palette onClose={onClose} />;
    case 'key-sheet':
      return <KeySheet onClose={onClose} />;
    case 'safety':
      return <SafetyDialog mid={overlay.mid} onClose={onClose} />;
    case 'backup':
      return <BackupDialog onClose={onClose} />;
    case 'keys':
      return <KeysDialog onClose={onClose} />;
    case 'restore':
      return <KeysDialog first="backup" onClose={onClose} />;
    case 'seal':
      return <SealDialog chatMid={overlay.chatMid} known={overlay.state} onClose={onClose} />;
  }
}
