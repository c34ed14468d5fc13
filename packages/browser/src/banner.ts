/** Loaded when a reader dismisses a banner. */

/** Dismisses it permanently. Another text or language has another key. */
export function dismissBanner(
  button: HTMLElement,
  keep: (name: string, value: string) => void,
): void {
  const banner = button.closest<HTMLElement>('[data-oct=banner]')
  if (banner === null) return
  keep(`banner-${banner.dataset.key}`, '1')
  banner.remove()
}
