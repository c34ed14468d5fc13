/** Handles clicks on API pages: copying, nested schema levels and the playground. */
import type { PageTools } from './playground/request-state.ts'

export function startApi({ copyText }: PageTools): void {
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element)) return
    const control = target.closest<HTMLElement>('[data-oct]')
    switch (control?.dataset.oct) {
      case 'copy-text':
        void copyText(control.dataset.text ?? '')
        return
      case 'deeper':
        void import('./nested-fields.ts').then(({ loadNestedFields }) => loadNestedFields(control))
        return
      case 'try':
        open(control)
    }
  })
  const open = (button: HTMLElement) =>
    void import('./playground/open-playground.tsx').then(({ openPlayground }) =>
      openPlayground(button, { copyText }),
    )
  // Opens a shared request; only the reader can send it.
  const button = document.querySelector<HTMLElement>('[data-oct=try]')
  if (button !== null && location.hash.startsWith('#try=')) open(button)
}
