/** Loaded only when a reader dismisses a banner. */

/** Dismisses the banner permanently. Each text and language of a banner has its own key. */
export function dismissBanner(
  button: HTMLElement,
  keep: (name: string, value: string) => void,
): void {
  const banner = button.closest<HTMLElement>('[data-oct=banner]')
  if (banner === null) return
  keep(`banner-${banner.dataset.key}`, '1')
  banner.remove()
}
