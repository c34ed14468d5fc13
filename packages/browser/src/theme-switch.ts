import { keep } from './local-storage.ts'

type Look = 'light' | 'dark'

/**
 * Switches between light and dark. A choice that equals the default is not stored, so that the page
 * follows the system again.
 */
export function switchTheme(): void {
  const { dataset } = document.documentElement
  const usual = dataset.usual ?? dataset.theme ?? ''
  const next = lookOf(dataset.theme ?? '') === 'dark' ? 'light' : 'dark'
  const isUsual = next === lookOf(usual)
  dataset.usual = usual
  dataset.theme = isUsual ? usual : next
  keep('theme', isUsual ? '' : next)
  applyColorScheme()
  // Finishes color transitions, so that hundreds of links do not fade after the page has already
  // changed.
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
}

/** Updates the class that authors' styles use and the color of the browser's own interface. */
export function applyColorScheme(): void {
  const { dataset, classList } = document.documentElement
  const theme = dataset.theme ?? ''
  const look = lookOf(theme)
  classList.toggle('dark', look === 'dark')
  const [light, dark] = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')
  for (const [meta, own] of [[light, 'light'] as const, [dark, 'dark'] as const]) {
    if (meta === undefined) continue
    const whenChosen = own === look ? 'all' : 'not all'
    meta.media = theme === '' ? `(prefers-color-scheme: ${own})` : whenChosen
  }
}

/** Returns the color scheme of a theme. An empty theme follows the system. */
function lookOf(theme: string): Look {
  if (theme !== '') return theme === 'dark' ? 'dark' : 'light'
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
