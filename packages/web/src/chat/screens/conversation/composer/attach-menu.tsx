// The menu of things to send other than text: pictures, files, voice messages, places and contacts.
import { useLingui } from '@lingui/react/macro';
import { ContactRound, FileIcon, ImageIcon, MapPin, Mic, Paperclip } from 'lucide-react';
import { type ChangeEvent, lazy, Suspense, useRef, useState } from 'react';
import { IconButton } from '../../../../design/button.tsx';
import { Menu } from '../../../../design/menu.tsx';
import type { MenuItem } from '../../../../design/menu-item.ts';
import styles from './composer.module.css';
import type { Content } from './content.ts';

const PlaceDialog = lazy(() => import('./place-dialog.tsx'));
const ContactDialog = lazy(() => import('./contact-dialog.tsx'));

export interface AttachMenuProps {
  readonly onFiles: (files: readonly File[]) => void;
  readonly onVoice: () => void;
  readonly onContent: (content: Content) => void;
}

export function AttachMenu({ onFiles, onVoice, onContent }: AttachMenuProps) {
  const { t } = useLingui();
  const pictures = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState<'place' | 'contact'>();
  const items: MenuItem[] = [
    { id: 'picture', label: t`Picture or video`, icon: <ImageIcon />, onSelect: () => pictures.current?.click() },
    { id: 'file', label: t`File`, icon: <FileIcon />, onSelect: () => files.current?.click() },
    { id: 'voice', label: t`Voice message`, icon: <Mic />, onSelect: onVoice },
    { id: 'place', label: t`Place`, icon: <MapPin />, onSelect: () => setOpened('place') },
    { id: 'contact', label: t`Contact`, icon: <ContactRound />, onSelect: () => setOpened('contact') },
  ];
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    // The value is cleared, so that choosing the same file again also causes a change event.
    target.value = '';
  };
  const chosen = (content: Content): void => {
    setOpened(undefined);
    onContent(content);
  };
  const trigger = (
    <IconButton label={t`Attach`}>
      <Paperclip />
    </IconButton>
  );
  const common = { className: styles.chooser, type: 'file', multiple: true, tabIndex: -1, onChange } as const;
  return (
    <>
      <Menu trigger={trigger} items={items} align="start" />
      <input ref={pictures} {...common} accept="image/*,video/*" aria-label={t`Choose pictures or videos`} />
      <input ref={files} {...common} aria-label={t`Choose files`} />
      <Suspense>
        {opened === 'place' && <PlaceDialog onClose={() => setOpened(undefined)} onChosen={chosen} />}
        {opened === 'contact' && <ContactDialog onClose={() => setOpened(undefined)} onChosen={chosen} />}
      </Suspense>
    </>
  );
}
