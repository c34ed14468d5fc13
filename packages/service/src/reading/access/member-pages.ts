/** The page of the dashboard that sends members back to a private site with a sign-in code. */

import { renderMessage } from '@octavo/dashboard'
import { type Exchange, htmlPage, redirect, type WebPage } from '../../people/sign-in/page.ts'
import type { Database } from '../../platform/database/database.ts'
import { Problem } from '../../platform/problem.ts'
import type { PepperRing } from '../../platform/secrets/pepper-ring.ts'
import { type HostNames, targetOf } from '../../publishing/domains/site-address.ts'
import { CODE_SECONDS, CodeRequest, createCodeSealers, STALE } from './members-sign-in.ts'

export type MemberPageDeps = {
  readonly database: Database
  readonly pepper: PepperRing
  /** The URL of the service. */
  readonly url: string
  readonly siteNames: HostNames
  readonly now: () => number
}

export function memberPages(deps: MemberPageDeps): readonly WebPage[] {
  const { requests, codes } = createCodeSealers(deps)
  const { protocol, port } = new URL(deps.url)

  /** Returns the id of the project at a host, if the person has a role in the project. */
  async function findProject(userId: string, host: string): Promise<string | undefined> {
    const url = URL.parse(`${protocol}//${host}`)
    if (url === null || url.host !== host || url.port !== port) return undefined
    const target = targetOf(host, deps.siteNames)
    if (target.kind === 'api') return undefined
    const [row] = await deps.database.query<{ id: string | null }>(
      'select find_member_site($1, $2, $3)::text as id',
      [userId, target.kind === 'site' ? target.slug : null, url.hostname],
    )
    return row?.id ?? undefined
  }

  async function sendBack({ request, url, person, gate }: Exchange): Promise<Response> {
    if (request.method === 'POST') throw new Problem('method-not-allowed', 'Open this page.')
    const codeRequest = CodeRequest.safeParse(requests.open(url.searchParams.get('request') ?? ''))
    if (!codeRequest.success) throw new Problem('forbidden', STALE)
    if (person === undefined)
      return redirect(`/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`)
    const { host, path, state } = codeRequest.data
    const projectId = await findProject(person.userId, host)
    if (projectId === undefined)
      throw new Problem(
        'forbidden',
        `You are signed in as ${person.email}, who is not a member of the organization that owns ${host}. Ask an owner for an invitation.`,
      )
    const { userId, isVerified } = person
    const code = codes.seal(
      { host, projectId, userId, ...(isVerified && { isVerified }), state },
      CODE_SECONDS,
    )
    const back = `${protocol}//${host}${path}?code=${encodeURIComponent(code)}`
    // Shows a page instead of redirecting, because the sign-in form's Content-Security-Policy would
    // block a redirect to another host.
    const text = `Signed in as ${person.email}.`
    const link = { href: back, label: 'Continue' }
    const response = htmlPage(
      renderMessage({ ...gate, title: `Continuing to ${host}`, text, link }),
    )
    response.headers.set('refresh', `0;url=${back}`)
    response.headers.set('cache-control', 'no-store')
    return response
  }

  return [{ path: '/readers/sign-in', answer: sendBack }]
}
