/** Links that are used once: to set the service up, to sign in, to accept an invitation. */
import { renderConfirm, renderMessage, renderSetup } from '@octavo/dashboard'
import { hashToken, isWellFormedToken } from '../api-keys/token.ts'
import type { Database } from '../database/database.ts'
import { createMemberStore } from '../members/store.ts'
import { createPublicId } from '../public-id.ts'
import { readSignInLink, setUp, spendLoginLink } from '../users/store.ts'
import { readForm } from './forms.ts'
import { acceptInvitation, findInvitation } from './invitations.ts'
import { type Exchange, htmlPage, type SignInPage } from './page.ts'
import { readSetupForm } from './setup-form.ts'
import type { SignInSettings } from './sign-in-settings.ts'

export type LinkDeps = {
  readonly database: Database
  readonly pepper: string
  /** HTTPS, or this machine: otherwise browsers keep no session. */
  readonly isSecure: boolean
  readonly settings: SignInSettings
}

const SIGN_IN_LINK = { href: '/sign-in', label: 'Sign in' }
const UNIQUE_VIOLATION = '23505'

export function linkPages(deps: LinkDeps): readonly SignInPage[] {
  const { database, pepper, isSecure, settings } = deps

  const hashOf = (token: string) =>
    isWellFormedToken(token) ? hashToken(token, pepper) : undefined

  /** The link in the log of the service. */
  async function setUpService({ request, part, gate, signIn }: Exchange): Promise<Response> {
    const hash = hashOf(part)
    const link = hash && (await readSignInLink(database, hash))
    if (hash === undefined || link?.kind !== 'setup') return endedLink(gate)
    const minutesLeft = minutes(link.secondsLeft)
    const form = request.method === 'POST' ? await readForm(request) : undefined
    const { values, errors, owner } = readSetupForm(form)
    const page = (found: typeof errors, status = 200) =>
      htmlPage(
        renderSetup({ ...gate, formToken: '', minutesLeft, values, errors: found, isSecure }),
        status,
      )
    if (form === undefined) return page({})
    if (owner === undefined) return page(errors, 422)
    try {
      const made = await setUp(database, hash, owner)
      if (made === undefined) return endedLink(gate)
      const store = createMemberStore(database.forOrganisation(made.organisationId))
      const { projects } = await store.describe()
      const first = projects.find(({ id }) => id === made.projectId)
      return await signIn(made.userId, first === undefined ? '/' : `/projects/${first.public_id}`)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION))
        throw error
      return page({ project: 'Another organisation has a project of this address.' }, 422)
    }
  }

  /** A link that the operator made. The first request shows a button: scanners open every link. */
  async function logIn({ request, url, part, gate, signIn }: Exchange): Promise<Response> {
    const hash = hashOf(part)
    const link = hash && (await readSignInLink(database, hash))
    if (hash === undefined || link?.kind !== 'login') return endedLink(gate)
    if (request.method !== 'POST')
      return htmlPage(
        renderConfirm({
          ...gate,
          title: 'Sign in',
          text: `This link works once, for another ${minutes(link.secondsLeft)} minutes.`,
          action: url.pathname,
          button: 'Sign in',
          fields: {},
        }),
      )
    const userId = await spendLoginLink(database, hash)
    return userId === undefined ? endedLink(gate) : signIn(userId, '/')
  }

  async function invitation(exchange: Exchange): Promise<Response> {
    const { request, url, part, gate, person, signIn } = exchange
    const hash = hashOf(part)
    const found = hash && (await findInvitation(database, hash))
    if (hash === undefined || found === undefined) return endedLink(gate)
    if (request.method !== 'POST')
      return htmlPage(
        renderConfirm({
          ...gate,
          title: `Join ${found.place}`,
          text: `${found.invitedBy} invites ${found.email}, as ${found.role}.`,
          action: url.pathname,
          button: 'Accept',
          fields: {},
        }),
      )
    // New people come in through the provider, or not at all.
    if (person === undefined && (settings.isOidcOnly || settings.signUp.kind === 'closed'))
      return signInFirst(gate)
    const userId = await acceptInvitation(database, hash, {
      person: person?.userId,
      publicId: createPublicId('usr'),
      name: found.email.split('@')[0] ?? found.email,
    })
    if (userId !== undefined) return signIn(userId, '/')
    const text =
      person === undefined
        ? `${found.email} has an account already. Sign in, then open the link again.`
        : `You are signed in as ${person.email}. This invitation is for ${found.email}.`
    return htmlPage(
      renderMessage({ ...gate, title: 'Not accepted', text, link: SIGN_IN_LINK }),
      403,
    )
  }

  return [
    { pattern: /^\/setup\/(\w+)$/, answer: setUpService },
    { pattern: /^\/login\/(\w+)$/, answer: logIn },
    { pattern: /^\/invitations\/(\w+)$/, answer: invitation },
  ]
}

const minutes = (seconds: number) => Math.ceil(seconds / 60)

function signInFirst(gate: Exchange['gate']): Response {
  const text = 'Sign in with the account that the invitation is for, then open the link again.'
  const page = { ...gate, title: 'Sign in first', text, link: SIGN_IN_LINK }
  return htmlPage(renderMessage(page), 403)
}

function endedLink(gate: Exchange['gate']): Response {
  const text =
    'It was used already, or it is too old. Ask for another one; the operator of the service makes one with `octavo-service login-link`.'
  return htmlPage(
    renderMessage({ ...gate, title: 'This link does not work', text, link: SIGN_IN_LINK }),
    404,
  )
}
