import { keep } from './kept.ts'

/** Puts a banner away for good. Another text, or another language, has another key. */
export function dismissBanner(button: HTMLElement): void {
  const banner = button.closest<HTMLElement>('[data-oct=banner]')
  if (banner === null) return
  keep(`banner-${banner.dataset.key}`, '1')
  banner.remove()
}
