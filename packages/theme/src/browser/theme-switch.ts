import { keep } from './kept.ts'

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
}

/** An empty theme leaves it to the system. */
function lookOf(theme: string): Look {
  if (theme !== '') return theme === 'dark' ? 'dark' : 'light'
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}
