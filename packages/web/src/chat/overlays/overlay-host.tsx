// Shows the dialog that was opened, if any. Each is loaded when it is first needed.
import { lazy, Suspense } from 'react';
import { ErrorBoundary } from '../error-boundary.tsx';
import { closeOverlay, type Overlay, useOverlay } from './overlays.ts';

const AskDialog = lazy(() => import('./ask-dialog.tsx'));
const NewChatDialog = lazy(() => import('./new-chat-dialog.tsx'));
const AddPeopleDialog = lazy(() => import('./add-people-dialog.tsx'));
const OwnCardDialog = lazy(() => import('./own-card-dialog.tsx'));
const ReportDialog = lazy(() => import('./report-dialog.tsx'));
const PictureDialog = lazy(() => import('./picture-dialog.tsx'));

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
  switch (overlay.kind) {
    case 'ask':
      return <AskDialog question={overlay} />;
    case 'new-chat':
      return <NewChatDialog onClose={closeOverlay} />;
    case 'add-people':
      return <AddPeopleDialog chatMid={overlay.chatMid} onClose={closeOverlay} />;
    case 'own-card':
      return <OwnCardDialog onClose={closeOverlay} />;
    case 'report':
      return <ReportDialog mid={overlay.mid} onClose={closeOverlay} />;
    case 'picture':
      return <PictureDialog mid={overlay.mid} onClose={closeOverlay} />;
  }
}
