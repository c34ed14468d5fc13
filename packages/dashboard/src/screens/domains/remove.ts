/** The confirmation page for removing a domain. */
import { Domain } from '@octavo/contract'
import { curlCommand } from '../../parts/code-sample.ts'
import { confirmPage } from '../../parts/confirm.ts'
import { redirect } from '../../parts/document.ts'
import { html } from '../../parts/html.ts'
import { NO_REPLY, readApi, sendApi } from '../../visit/call-api.ts'
import type { ProjectScreen } from '../../visit/screen.ts'
import { domainsPath } from './list.ts'

export async function showRemoveDomain(
  screen: ProjectScreen,
  written: string,
  problem?: string,
): Promise<Response> {
  const { visit, path, options, project } = screen
  const { name, record } = await readApi(visit.api, Domain, domainsPath(screen, written))
  return confirmPage(screen, {
    section: 'domains',
    title: 'Remove the domain?',
    text: html`The site is no longer served at <b>${name}</b>.`,
    facts: [
      [
        'Delete at your DNS provider',
        html`The records of <code>${name}</code> and <code>${record.name}</code>`,
      ],
      ['If you add the domain again within 30 days', 'The TXT record stays the same'],
      ['Not affected', 'The site’s address on this service, and its other domains'],
    ],
    action: path(`domains/${encodeURIComponent(name)}/remove`),
    button: 'Remove',
    isDanger: true,
    back: { href: path('domains'), label: 'Custom domains' },
    problem,
    same: [
      curlCommand({ url: options.url, method: 'DELETE', path: domainsPath(screen, name) }),
      `octavo domain remove ${name} --service ${options.url} --project ${project.id}`,
    ],
  })
}

export async function removeDomain(screen: ProjectScreen, name: string): Promise<Response> {
  const sent = await sendApi(screen.visit.api, NO_REPLY, {
    method: 'DELETE',
    path: domainsPath(screen, name),
  })
  if (!sent.ok) return showRemoveDomain(screen, name, sent.problem.detail)
  return redirect(screen.path('domains'))
}
