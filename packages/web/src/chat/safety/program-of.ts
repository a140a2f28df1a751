// Names the program of a device. It is apart from the decisions, because the page needs it only in the settings.
import type { Session } from '@sealpost/contract';
import { deviceTitle } from '../../words/browser-name.ts';

/** Returns the names of the program and the model of a device, as the device gave them. */
export const programOf = ({ systemName, modelName }: Pick<Session, 'systemName' | 'modelName'>): string =>
  [systemName, modelName].map(deviceTitle).filter(Boolean).join(' · ');
