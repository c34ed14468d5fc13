/** What pages of an API do: they open levels of schemas, and the playground. */
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
        void import('./deeper.ts').then(({ fillDeeper }) => fillDeeper(control))
        return
      case 'try':
        open(control)
    }
  })
  const open = (button: HTMLElement) =>
    void import('./playground/open-playground.tsx').then(({ openPlayground }) =>
      openPlayground(button, { copyText }),
    )
  followOldAddress()
  addEventListener('hashchange', followOldAddress)
  // A request that somebody shared: it is shown, and sent only by the reader.
  const button = document.querySelector<HTMLElement>('[data-oct=try]')
  if (button !== null && location.hash.startsWith('#try=')) open(button)
}

/** Links of other tools name the same field with other signs, or one of its alternatives by number. */
function followOldAddress(): void {
  const { hash } = location
  if (hash === '' || document.getElementById(hash.slice(1)) !== null) return
  const wanted = bare(hash.replaceAll(/-(?:one|any)-of-\d+/g, ''))
  const fields = document.querySelectorAll('.oct-field[id]')
  const meant = [...fields].find(({ id }) => bare(id) === wanted)
  if (meant !== undefined) location.replace(`#${meant.id}`)
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
