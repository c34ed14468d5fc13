/** Pages without header and navigation: those before sign-in, and plain messages. */

import type { ThemeChoice } from '../visit/screen.ts'
import type { PageAssets } from '../visit/visit.ts'
import { logo, renderDocument } from './document.ts'
import { type HtmlPart, html } from './html.ts'

export type GatePage = {
  readonly assets: PageAssets
  readonly theme?: ThemeChoice
  readonly title: string
  readonly lead?: HtmlPart
  readonly body: HtmlPart
  readonly isWide?: boolean
}

export function renderGate({ assets, theme, title, lead, body, isWide }: GatePage): string {
  return renderDocument({
    title,
    assets,
    theme,
    body: html`
      <div class="gate">
        <main${isWide && html` class="wide"`}>
          ${logo()}
          <div><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>
          ${body}
        </main>
      </div>
    `,
  })
}
