// The state of the page: everything that it knows about the server.
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
  /** The state of the connection for events. `lost`: the connection broke, and the browser tries again. */
  readonly connection: 'opening' | 'live' | 'lost';
  readonly facts: ServerFacts | undefined;
  readonly clock: DevClock | undefined;
  readonly accounts: readonly DevAccount[];
  readonly calls: readonly SeenCall[];
  /** The operations of all accounts that arrived while the page was open. */
  readonly operations: readonly SeenOperation[];
  readonly faults: readonly Fault[];
  readonly universes: readonly Universe[];
  /** True if new calls are held back and not shown. */
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
