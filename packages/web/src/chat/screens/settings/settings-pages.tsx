// The table of all settings pages, in the order in which the list of settings shows them.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  Ban,
  Bell,
  IdCard,
  Info,
  Megaphone,
  MessageSquareText,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  ShieldUser,
  UserRound,
} from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { AboutPage } from './about-page.tsx';
import { AccountPage } from './account-page.tsx';
import { AppearancePage } from './appearance-page.tsx';
import { BlockedPage } from './blocked-page.tsx';
import { ChatsPage } from './chats-page.tsx';
import { DevicesPage } from './devices-page.tsx';
import { NewsPage } from './news-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PrivacyPage } from './privacy-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { SecurityPage } from './security-page.tsx';

type SettingsGroup = 'account' | 'security' | 'browser' | 'server';

/** The groups of the list of settings, in their order. */
export const settingsGroups: readonly { readonly group: SettingsGroup; readonly title: MessageDescriptor }[] = [
  { group: 'account', title: msg`Your account` },
  { group: 'security', title: msg`Security` },
  { group: 'browser', title: msg`This browser` },
  { group: 'server', title: msg`This server` },
];

export interface SettingsPage {
  /** The name of the settings page in the URL. */
  readonly page: string;
  readonly group: SettingsGroup;
  readonly label: MessageDescriptor;
  readonly icon: ReactNode;
  readonly Content: ComponentType;
}

export const settingsPages: readonly SettingsPage[] = [
  { page: 'profile', group: 'account', label: msg`Profile`, icon: <UserRound size={20} />, Content: ProfilePage },
  { page: 'account', group: 'account', label: msg`Account`, icon: <IdCard size={20} />, Content: AccountPage },
  { page: 'privacy', group: 'account', label: msg`Privacy`, icon: <ShieldUser size={20} />, Content: PrivacyPage },
  {
    page: 'notifications',
    group: 'account',
    label: msg`Notifications`,
    icon: <Bell size={20} />,
    Content: NotificationsPage,
  },
  { page: 'blocked', group: 'account', label: msg`Blocked people`, icon: <Ban size={20} />, Content: BlockedPage },
  {
    page: 'devices',
    group: 'security',
    label: msg`Devices`,
    icon: <MonitorSmartphone size={20} />,
    Content: DevicesPage,
  },
  { page: 'security', group: 'security', label: msg`Security`, icon: <ShieldCheck size={20} />, Content: SecurityPage },
  {
    page: 'appearance',
    group: 'browser',
    label: msg`Appearance and language`,
    icon: <Palette size={20} />,
    Content: AppearancePage,
  },
  { page: 'chats', group: 'browser', label: msg`Chats`, icon: <MessageSquareText size={20} />, Content: ChatsPage },
  { page: 'news', group: 'server', label: msg`News`, icon: <Megaphone size={20} />, Content: NewsPage },
  { page: 'about', group: 'server', label: msg`About`, icon: <Info size={20} />, Content: AboutPage },
];
