import { copyButton } from '../../parts/code-sample.ts'
import { type HtmlPart, html } from '../../parts/html.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

/** Renders an address of the site to copy; undefined if the service hosts no sites. */
export function siteAddress(
  { site }: ProjectScreen,
  id: string,
  [label, note, path]: readonly [label: string, note: string, path: string],
): HtmlPart {
  if (site.url === undefined) return undefined
  const address = `${site.url.replace(/\/$/, '')}${path}`
  return html`
    <div class="field">
      <span class="label">${label} <span class="muted">${note}</span></span>
      <div class="code"><pre tabindex="0" id="${id}">${address}</pre>${copyButton(id, `Copy the ${label}`)}</div>
    </div>
  `
}
