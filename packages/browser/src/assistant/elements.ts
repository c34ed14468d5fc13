/** Creates elements. Strings are always set as text and never parsed as HTML. */
type Child = Node | string | false | undefined

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children.filter((child) => child !== false && child !== undefined))
  return made
}

/** The icon for thumbs up, which is rotated for thumbs down. */
export const THUMB =
  'M7 10v12M15 5.88 14 10h5.83a2 2 0 0 1 1.92 2.56l-2.33 8A2 2 0 0 1 17.5 22H4a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2h2.76a2 2 0 0 0 1.79-1.11L12 2a3.13 3.13 0 0 1 3 3.88Z'

/** Stroke paths of icons that are 24 × 24. */
const ICONS = {
  ask: 'm11 4-2 5-5 2 5 2 2 5 2-5 5-2-5-2zM19 2v5M16.5 4.5h5M19 17v4M17 19h4',
  back: 'm15 18-6-6 6-6',
  bad: 'M17 14V2M9 18.12 10 14H4.17a2 2 0 0 1-1.92-2.56l2.33-8A2 2 0 0 1 6.5 2H20a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-2.76a2 2 0 0 0-1.79 1.11L12 22a3.13 3.13 0 0 1-3-3.88Z',
  chat: 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z',
  check: 'M20 6 9 17l-5-5',
  close: 'M18 6 6 18M6 6l12 12',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  copy: 'M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2',
  good: THUMB,
  history: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5M12 7v5l4 2',
  new: 'M12 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-7M18.4 2.6a1 1 0 0 1 3 3l-9 9L9 15l.4-3.4z',
  next: 'm9 18 6-6-6-6',
  none: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h0',
  page: 'M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v4a2 2 0 0 0 2 2h4M16 13H8M16 17H8M10 9H8',
  retry: 'M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8M3 3v5h5',
  search: 'm21 21-4.3-4.3M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0',
  send: 'm5 12 7-7 7 7M12 19V5',
  source: 'M7 7h10v10M7 17 17 7',
  spin: 'M21 12a9 9 0 1 1-6.2-8.6',
  stop: 'M7 6h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1z',
  trash: 'M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
} as const
export type IconName = keyof typeof ICONS

export function icon(name: IconName, size = 16): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const drawing = document.createElementNS(space, 'svg')
  const attributes = { viewBox: '0 0 24 24', width: size, height: size, class: `i i-${name}` }
  for (const [key, value] of Object.entries({ ...attributes, 'aria-hidden': true }))
    drawing.setAttribute(key, String(value))
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', ICONS[name])
  drawing.append(path)
  return drawing
}

export function iconButton(
  label: string,
  drawing: IconName,
  press: (button: HTMLButtonElement) => void,
): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', className: 'icon', title: label, ariaLabel: label },
    icon(drawing, 16),
  )
  button.onclick = () => press(button)
  return button
}
