// A long list: its rows, a button that loads more, and a text if there are no rows.
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import type { Listed } from '../client/use-listed.ts';
import { Shown } from './page.tsx';
import { Rows, type RowsProps } from './rows.tsx';

export interface ListingProps<T> extends Omit<RowsProps<T>, 'items'> {
  readonly of: Listed<T>;
  /** The content to show if the list is empty. */
  readonly empty: ReactNode;
}

export function Listing<T>({ of, empty, ...rows }: ListingProps<T>) {
  return (
    <Shown of={of}>
      {({ items, hasMore }) => (
        <>
          {items.length > 0 ? <Rows items={items} {...rows} /> : !hasMore && empty}
          {hasMore && (
            <div>
              <Button disabled={of.isLoading} onClick={() => void of.more()}>
                <Trans>Show more</Trans>
              </Button>
            </div>
          )}
        </>
      )}
    </Shown>
  );
}
