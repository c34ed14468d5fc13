/**
 * Shows how many rows of a table are selected, and hides the message about the last form after some
 * time.
 */

const TOAST_MS = 10_000

export function countSelected(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('.picking')) {
    const count = () => {
      const { length } = form.querySelectorAll('.pick :checked')
      const label = form.querySelector('[data-selected]')
      if (label !== null) label.textContent = `${length} selected`
    }
    form.addEventListener('change', count)
    // When the user goes back to a page, browsers restore the selected rows.
    count()
  }
}

/** Removes the message, unless the pointer or the focus is on it. */
export function hideToast(): void {
  const toast = document.querySelector('.toast')
  if (toast === null) return
  const timer = setInterval(() => {
    if (toast.matches(':hover, :focus-within')) return
    clearInterval(timer)
    toast.remove()
  }, TOAST_MS)
}
