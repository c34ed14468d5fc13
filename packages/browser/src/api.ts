/** Handles clicks on API pages: copy buttons, nested schema levels and the playground. */
import type { PageTools } from './playground/request-state.ts'

/** The playground is compiled to a file of its own, so that it does not wait for a shared one. */
declare const PLAYGROUND_URL: string
type Loaded = Promise<readonly [typeof import('./playground/open-playground.ts'), string]>

const TRY = '[data-oct=try]'

export function startApi(tools: PageTools): void {
  let loading: Loaded | undefined
  const load = ({ dataset: { url = '', inline } }: HTMLElement): Loaded =>
    (loading ??= Promise.all([
      import(PLAYGROUND_URL),
      inline ?? fetch(url).then((answer) => answer.text()),
    ]))
  const open = (button: HTMLElement) => {
    let dialog = document.querySelector<HTMLDialogElement>('.oct-try-dialog')
    // An existing dialog still contains the reader's earlier input.
    if (dialog) return dialog.showModal()
    dialog = document.createElement('dialog')
    dialog.className = 'oct-try-dialog'
    document.body.append(dialog)
    // Until its content is there, the dialog shows an outline of it.
    dialog.showModal()
    load(button)
      .then(([{ fillPlayground }, data]) => fillPlayground(dialog, { button, data, tools }))
      .catch(() => {
        loading = undefined
        dialog.append(button.dataset.failed ?? '')
        dialog.onclose = dialog.remove
      })
  }
  const on = (type: string, selector: string, act: (control: HTMLElement) => void) =>
    document.addEventListener(type, ({ target }) => {
      const control = (target as Element).closest<HTMLElement>(selector)
      if (control) act(control)
    })
  on('click', '[data-oct=copy-text]', ({ dataset: { text = '' } }) => void tools.copyText(text))
  const fields = () => import('./fields.ts')
  on(
    'click',
    '[data-oct=deeper]',
    (control) => void fields().then(({ loadNestedFields }) => loadNestedFields(control)),
  )
  const light = (part: HTMLElement) => void fields().then(({ lightLine }) => lightLine(part))
  on('pointerover', '.oct-field,aside', light)
  on('focusin', '.oct-field,aside', light)
  on(
    'input',
    '[data-oct=find-field]',
    (input) => void fields().then(({ findField }) => findField(input as HTMLInputElement)),
  )
  on('click', TRY, open)
  // A reader who points at the button will probably open the playground.
  on('pointerover', TRY, load)
  on('focusin', TRY, load)
  // Opens a request that was shared as a link; only the reader can send it.
  if (/^#try=/.test(location.hash)) document.querySelector<HTMLElement>(TRY)?.click()
}
