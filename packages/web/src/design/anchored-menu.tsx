// A menu that opens at an element or a point: for lists, which then need one menu and not one for each row.
import type { MenuItem } from './menu-item.ts';
import MenuPopup from './menu-popup.tsx';

export interface MenuAnchor {
  /** Where the focus returns to. */
  readonly element: HTMLElement;
  /** Where the pointer was; the menu stands at the element if not given. */
  readonly point?: { readonly x: number; readonly y: number };
}

export interface AnchoredMenuProps {
  readonly anchor: MenuAnchor;
  readonly items: readonly MenuItem[];
  /** What the menu is about, for screen readers. */
  readonly label: string;
  readonly onClose: () => void;
}

export function AnchoredMenu({ anchor: { element, point }, items, label, onClose }: AnchoredMenuProps) {
  const place = point ? { getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) } : element;
  return (
    <MenuPopup
      open
      anchor={place}
      finalFocus={{ current: element }}
      onClose={onClose}
      items={items}
      align={point ? 'start' : 'end'}
      label={label}
    />
  );
}
