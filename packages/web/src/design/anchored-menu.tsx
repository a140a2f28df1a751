// A menu that opens at any element or point. So a list needs only one menu, not one for each row.
import type { MenuItem } from './menu-item.ts';
import MenuPopup from './menu-popup.tsx';

export interface MenuAnchor {
  /** The element that gets the focus when the menu closes. */
  readonly element: HTMLElement;
  /** The position of the pointer. If absent, the menu opens at the element. */
  readonly point?: { readonly x: number; readonly y: number };
}

export interface AnchoredMenuProps {
  readonly anchor: MenuAnchor;
  readonly items: readonly MenuItem[];
  /** The subject of the menu, for screen readers. */
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
