// What the page knows of the server.
import type {
  DevAccount,
  DevClock,
  Fault,
  SeenCall,
  SeenOperation,
  Universe,
  WorkbenchResult,
} from '@sealpost/contract/workbench';
import { create } from 'zustand';

export interface ServerFacts extends Omit<WorkbenchResult<'showWorkbench'>, 'clock' | 'accounts'> {}

export interface InspectorState {
  /** `lost`: the events broke off, and the browser tries again. */
  readonly connection: 'opening' | 'live' | 'lost';
  readonly facts: ServerFacts | undefined;
  readonly clock: DevClock | undefined;
  readonly accounts: readonly DevAccount[];
  readonly calls: readonly SeenCall[];
  /** Operations that came while the page was open, of all accounts. */
  readonly operations: readonly SeenOperation[];
  readonly faults: readonly Fault[];
  readonly universes: readonly Universe[];
  /** While paused, new calls wait and are not shown. */
  readonly paused: boolean;
}

export const useInspector = create<InspectorState>(() => ({
  connection: 'opening',
  facts: undefined,
  clock: undefined,
  accounts: [],
  calls: [],
  operations: [],
  faults: [],
  universes: [],
  paused: false,
}));
