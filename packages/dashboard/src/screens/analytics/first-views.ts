/** The analytics screen before the first view: what is set up, what will appear, and when. */
import { Deployment } from '@octavo/contract'
import { cardHead } from '../../parts/card.ts'
import { copyButton } from '../../parts/code-sample.ts'
import { type Html, type HtmlPart, html } from '../../parts/html.ts'
import { type IconName, icon } from '../../parts/icon.ts'
import { siteButton, webLink } from '../../parts/link.ts'
import { timeTag } from '../../parts/time.ts'
import { apiPaths } from '../../visit/api-paths.ts'
import { findApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'

export async function firstViews(screen: ProjectScreen): Promise<Html> {
  const { visit, project, site } = screen
  const live =
    site.live === null
      ? undefined
      : await findApi(
          visit.api,
          Deployment,
          apiPaths.project(project.id, `/deployments/${encodeURIComponent(site.live)}`),
        )
  return html`
    <section class="card blank" aria-label="No views yet">
      ${live === undefined ? beforeDeployment(screen) : afterDeployment(screen, live)}
      <div><ul class="ticks">${checks(screen, live)}</ul></div>
    </section>
    <section class="card">
      ${cardHead('What you will see here')}
      <ul class="later">
        ${later('chart', 'Pages that people and agents read', 'The most-read pages for people and agents, and pages that were never opened.')}
        ${later('search', 'What was missing', 'Broken links with redirects to copy, searches without results, and unanswered questions.')}
        ${later('log-in', 'How readers arrived', 'Searches on the site, and the sites that link to you.')}
      </ul>
    </section>
  `
}

const beforeDeployment = ({ project }: ProjectScreen): Html => html`
  <div>
    <h2>No views yet</h2>
    <p>
      The site is not live yet. After the first deployment, each page that a reader opens is counted here within a
      minute.
    </p>
    <div class="actions"><a class="button primary" href="/projects/${project.id}">Deploy the site</a></div>
  </div>
`

function afterDeployment({ site, now }: ProjectScreen, { publishedAt }: Deployment): Html {
  const since = publishedAt && html` went live ${timeTag(publishedAt, now)}`
  return html`
    <div>
      <h2>No views yet</h2>
      <p>
        The site${since ?? ' is live'}. A page that a reader opens is counted here within a
        minute; previews are not counted.
      </p>
      <div class="actions">
        ${siteButton(site.url, 'Open the site')}
        ${
          site.url &&
          html`
            <span class="id">
              <span id="site-address">${site.url}</span>
              ${copyButton('site-address', 'Copy the address of the site')}
            </span>
          `
        }
      </div>
    </div>
  `
}

function checks({ site, now }: ProjectScreen, live: Deployment | undefined): readonly Html[] {
  if (live === undefined)
    return [
      tick(false, 'The site is live', 'Waiting for the first deployment'),
      tick(false, 'Views are counted', 'Starts with the first deployment'),
    ]
  const { number, publishedAt } = live
  const since = publishedAt && html`, published ${timeTag(publishedAt, now)}`
  return [
    tick(true, 'The site is live', html`Deployment #${number}${since}`),
    tick(
      true,
      'Views are counted',
      html`
        People and agents separately, without cookies,
        unless <code>integrations.telemetry.enabled</code> is <code>false</code> in docs.json
      `,
    ),
    tick(
      true,
      'Agents can read the site',
      html`<code>/llms.txt</code>, <code>/mcp</code> and Markdown pages are served`,
    ),
    tick(
      false,
      'Search engines need a few days',
      html`To be found sooner, submit ${webLink('/sitemap.xml', 'the sitemap', { base: site.url })}`,
    ),
  ]
}

const tick = (isDone: boolean, title: string, text: HtmlPart): Html => html`
  <li class="${isDone ? 'is-good' : 'is-off'}">
    ${icon(isDone ? 'check-circle' : 'dashed')}
    <div><b>${title}</b><span class="hint">${text}</span></div>
  </li>
`

const later = (sign: IconName, title: string, text: string): Html =>
  html`<li>${icon(sign)}<h3>${title}</h3><p>${text}</p></li>`
