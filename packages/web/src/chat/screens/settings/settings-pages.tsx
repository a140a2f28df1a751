// The table of settings pages.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { MonitorSmartphone, Palette, ShieldCheck } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { AppearancePage } from './appearance-page.tsx';
import { DevicesPage } from './devices-page.tsx';
import { SecurityPage } from './security-page.tsx';

export interface SettingsPage {
  /** The name in the address. */
  readonly page: string;
  readonly label: MessageDescriptor;
  readonly icon: ReactNode;
  readonly Content: ComponentType;
}

export const settingsPages: readonly SettingsPage[] = [
  { page: 'devices', label: msg`Devices`, icon: <MonitorSmartphone size={20} />, Content: DevicesPage },
  { page: 'security', label: msg`Security`, icon: <ShieldCheck size={20} />, Content: SecurityPage },
  { page: 'appearance', label: msg`Appearance and language`, icon: <Palette size={20} />, Content: AppearancePage },
];
