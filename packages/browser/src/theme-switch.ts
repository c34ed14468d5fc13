import { keep } from './local-storage.ts'

type Look = 'light' | 'dark'

/**
 * From light to dark or back. A choice that is what the reader would see anyway is not kept: then
 * the page follows the system again.
 */
export function switchTheme(): void {
  const { dataset } = document.documentElement
  const usual = dataset.usual ?? dataset.theme ?? ''
  const next = lookOf(dataset.theme ?? '') === 'dark' ? 'light' : 'dark'
  const isUsual = next === lookOf(usual)
  dataset.usual = usual
  dataset.theme = isUsual ? usual : next
  keep('theme', isUsual ? '' : next)
  showLook()
  // Hundreds of links would fade, each by itself, while the page around them has changed.
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
}

/** Tells the author's styles, by the class they know, and the browser's own frame. */
export function showLook(): void {
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

/** An empty theme leaves it to the system. */
function lookOf(theme: string): Look {
  if (theme !== '') return theme === 'dark' ? 'dark' : 'light'
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
