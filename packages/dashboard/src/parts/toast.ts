/**
 * The result of the last form, with an Undo button. It is part of the page that follows the form.
 */
import { postButton } from './form.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'

export type Toast = {
  readonly text: HtmlPart
  readonly undo?: { readonly action: string; readonly token: string } & {
    readonly fields?: Readonly<Record<string, string | undefined>>
  }
}

export function toast({ text, undo }: Toast): Html {
  return html`
    <div class="toast" role="status">
      ${icon('check-circle')}
      <p>${text}</p>
      ${undo && postButton({ ...undo, label: 'Undo', look: 'small' })}
    </div>
  `
}
