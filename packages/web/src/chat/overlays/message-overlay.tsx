// The dialog that is asked for.
import { lazy, Suspense } from 'react';
import { closeAsked, useAsked } from './message-dialogs.ts';

const ForwardDialog = lazy(() => import('./forward-dialog.tsx'));
const ReportMessages = lazy(() => import('./report-messages.tsx'));
const InfoDialog = lazy(() => import('./info-dialog.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const KeySheet = lazy(() => import('./key-sheet.tsx'));

export function MessageOverlay() {
  const asked = useAsked();
  if (!asked) return null;
  return (
    <Suspense>
      {asked.kind === 'forward' && <ForwardDialog messages={asked.messages} onClose={closeAsked} />}
      {asked.kind === 'report' && <ReportMessages messages={asked.messages} onClose={closeAsked} />}
      {asked.kind === 'info' && <InfoDialog chatMid={asked.chatMid} messageId={asked.messageId} onClose={closeAsked} />}
      {asked.kind === 'palette' && <Palette onClose={closeAsked} />}
      {asked.kind === 'keys' && <KeySheet onClose={closeAsked} />}
    </Suspense>
  );
}
