// The operations that the screen shows.
import type { SeenOperation } from '@sealpost/contract/workbench';
import { useEffect, useState } from 'react';
import { toast } from '../../design/toast.ts';
import { dev, messageOf } from '../feed/dev-api.ts';
import { useInspector } from '../feed/store.ts';

const PAGE = 1000;

/**
 * Returns the log of an account, which grows as operations arrive. Without an account, returns the operations that
 * arrived while the page was open.
 */
export function useLog(account: string | undefined): readonly SeenOperation[] {
  const live = useInspector((state) => state.operations);
  const [before, setBefore] = useState<readonly SeenOperation[]>([]);
  useEffect(() => {
    setBefore([]);
    if (account === undefined) return;
    let isWanted = true;
    read(account).then(
      (log) => isWanted && setBefore(log),
      (error: unknown) => toast({ text: messageOf(error), about: 'log' }),
    );
    return () => {
      isWanted = false;
    };
  }, [account]);
  if (account === undefined) return live;
  const last = before.at(-1)?.revision ?? 0;
  return [...before, ...live.filter(({ mid, revision }) => mid === account && revision > last)];
}

async function read(account: string): Promise<SeenOperation[]> {
  const log: SeenOperation[] = [];
  for (;;) {
    const after = String(log.at(-1)?.revision ?? 0);
    const { operations } = await dev.listOperations({ account, after, limit: PAGE });
    log.push(...operations);
    if (operations.length < PAGE) return log;
  }
}
