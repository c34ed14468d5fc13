/** Pages for single-use links: to set up the service, to sign in, or to accept an invitation. */
import { renderConfirm, renderMessage, renderSetup } from '@octavo/dashboard'
import { addressPrefix } from '../../platform/audit/store.ts'
import type { SignedIn } from '../../platform/http/caller.ts'
import { createPublicId } from '../../platform/public-id.ts'
import {
  findByHash,
  type PepperPurpose,
  type PepperRing,
} from '../../platform/secrets/pepper-ring.ts'
import { isWellFormedToken } from '../../platform/secrets/token.ts'
import { MemberStore } from '../members/store.ts'
import type { SignInSettings } from '../sign-in-settings.ts'
import { readSignInLink, setUp, spendLoginLink } from '../users/store.ts'
import { readForm } from './forms.ts'
import { acceptInvitation, findInvitation, nameFor } from './invitations.ts'
import {
  type Exchange,
  htmlPage,
  pagesWith,
  redirect,
  type SignInDeps,
  type WebPage,
} from './page.ts'
import { readSetupForm } from './setup-form.ts'

const SIGN_IN_LINK = { href: '/sign-in', label: 'Sign in' }
/** The query parameter of an invitation's URL that is set once the person has signed in. */
const SIGNED_IN = 'signed-in'
const VERIFY_FIRST = 'Verify your address first'
const UNIQUE_VIOLATION = '23505'

export const linkPages = (deps: SignInDeps): readonly WebPage[] =>
  pagesWith(deps, [
    ['/setup/:token', setUpService],
    ['/login/:token', logIn],
    ['/invitations/:token', handleInvitation],
  ])

/** Handles the setup link from the service's log. */
async function setUpService(
  { database, pepper, isSecure }: SignInDeps,
  { request, params: { token = '' }, gate, signIn, clientAddress }: Exchange,
): Promise<Response> {
  const { hash, found: link } = (await findLink({ database, pepper }, token)) ?? {}
  if (hash === undefined || link?.kind !== 'setup') return invalidLinkPage(gate)
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
    const made = await setUp(database, hash, {
      ...owner,
      addressPrefix: addressPrefix(clientAddress),
    })
    if (made === undefined) return invalidLinkPage(gate)
    const store = new MemberStore(database.forOrganization(made.organizationId))
    const { projects } = await store.describe()
    const first = projects.find(({ id }) => id === made.projectId)
    const next = first === undefined ? '/' : `/projects/${first.public_id}`
    return await signIn({ userId: made.userId, isVerified: true }, { next, method: 'setup-link' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION)) throw error
    return page(
      { project: 'Another organization already uses this project address. Choose another name.' },
      422,
    )
  }
}

/**
 * Handles a login link that the operator created. GET only shows a button, since scanners open
 * every link.
 */
async function logIn(
  { database, pepper }: SignInDeps,
  { request, url, params: { token = '' }, gate, signIn }: Exchange,
): Promise<Response> {
  const { hash, found: link } = (await findLink({ database, pepper }, token)) ?? {}
  if (hash === undefined || link?.kind !== 'login') return invalidLinkPage(gate)
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
  return userId === undefined
    ? invalidLinkPage(gate)
    : signIn({ userId, isVerified: true }, { next: '/', method: 'login-link' })
}

/**
 * Handles an invitation link. The inviter can read the link too, so opening it does not prove that
 * the address belongs to the visitor.
 */
async function handleInvitation(deps: SignInDeps, exchange: Exchange): Promise<Response> {
  const { database, pepper, settings } = deps
  const { request, url, params, gate, person } = exchange
  const hashes = hashesOf(pepper, 'invitation', params.token ?? '')
  const known = await findByHash(hashes, (one) => findInvitation(database, one))
  if (known === undefined) {
    // The first sign-in of a new person has already accepted the invitation.
    const isAccepted = person !== undefined && url.searchParams.has(SIGNED_IN)
    const project = url.searchParams.get(SIGNED_IN)
    return isAccepted ? redirect(landingOf(project)) : invalidLinkPage(gate)
  }
  const { found, hash } = known
  const project = found.project === null ? '' : `=${found.project}`
  const next = `${url.pathname}?${SIGNED_IN}${project}`
  const title = `Join ${found.place}`
  const text = `${found.invitedBy} invites ${found.email}, as ${found.role}.`
  const way = person === undefined ? invitationMethodOf(settings) : 'link'
  if (way === 'code') {
    const form = {
      text: `${text} To accept, enter the code that we send to this address.`,
      action: '/sign-in/email',
      button: 'Send the code',
      fields: { email: found.email, next },
      asksName: true,
    }
    return htmlPage(renderConfirm({ ...gate, title, ...form }))
  }
  if (way === 'sign-in') {
    const link = { href: signInAt(next), label: 'Sign in' }
    const first = `${text} To accept, sign in with the account that has this address.`
    return htmlPage(renderMessage({ ...gate, title, text: first, link }))
  }
  if (request.method !== 'POST') {
    const asksName = person === undefined
    const form = { text, action: url.pathname, button: 'Accept', fields: {}, asksName }
    return htmlPage(renderConfirm({ ...gate, title, ...form }))
  }
  const landing = landingOf(found.project)
  const name = (await readForm(request)).get('name')
  return acceptAs(deps, exchange, { email: found.email, name, hash, next, landing })
}

/** Returns the page of the project that an invitation was for, or the start page. */
const landingOf = (project: string | null) =>
  project !== null && /^prj_\w+$/.test(project) ? `/projects/${project}` : '/'

type Accepted = {
  readonly email: string
  /** The name as the person typed it. */
  readonly name: string | null
  readonly hash: Buffer
  /** The page to open after signing in to accept the invitation. */
  readonly next: string
  readonly landing: string
}

async function acceptAs(
  { database, settings }: SignInDeps,
  { gate, person, signIn, clientAddress }: Exchange,
  { email, name, hash, next, landing }: Accepted,
): Promise<Response> {
  const userId = await acceptInvitation(database, hash, {
    person: person?.userId,
    publicId: createPublicId('usr'),
    name: nameFor(email, name),
    addressPrefix: addressPrefix(clientAddress),
  })
  if (userId !== undefined)
    return signIn(
      { userId, isVerified: person?.isVerified ?? false },
      { next: landing, method: 'invitation' },
    )
  const { button, ...page } = refusalOf(email, person, settings)
  const link = button && { link: { href: signInAt(next), label: button } }
  return htmlPage(renderMessage({ ...gate, ...page, ...link }), 403)
}

const hashesOf = (pepper: PepperRing, purpose: PepperPurpose, token: string) =>
  isWellFormedToken(token) ? pepper.hashes(purpose, token) : []

const findLink = ({ database, pepper }: Pick<SignInDeps, 'database' | 'pepper'>, token: string) =>
  findByHash(hashesOf(pepper, 'sign-in link', token), (hash) => readSignInLink(database, hash))

const minutes = (seconds: number) => Math.ceil(seconds / 60)

const signInAt = (next: string) => `/sign-in?again&next=${encodeURIComponent(next)}`

/**
 * Returns how a signed-out person can accept an invitation. The link alone is enough only if
 * nothing else can prove the address.
 */
function invitationMethodOf(settings: SignInSettings): 'code' | 'sign-in' | 'link' {
  const { mail, providers, isOidcOnly, signUp } = settings
  if (isOidcOnly || signUp.kind === 'closed') return 'sign-in'
  if (mail !== undefined) return 'code'
  return providers.length > 0 ? 'sign-in' : 'link'
}

function refusalOf(
  email: string,
  person: SignedIn | undefined,
  { mail, providers, isOidcOnly }: SignInSettings,
): { readonly title: string; readonly text: string; readonly button?: string } {
  const title = 'Not accepted'
  if (person === undefined) {
    const text = `${email} already has an account. Sign in to accept the invitation.`
    return { title, text, button: 'Sign in' }
  }
  if (person.email !== email) {
    const text = `You are signed in as ${person.email}. This invitation is for ${email}.`
    return { title, text, button: `Sign in as ${email}` }
  }
  const why = `To join another organization, you have to verify that ${email} is your address.`
  const hasCodes = mail !== undefined && !isOidcOnly
  if (!hasCodes && providers.length === 0) {
    const text = `${why} Ask the operator of the service for a login link, sign in with it, then open the invitation again.`
    return { title: VERIFY_FIRST, text }
  }
  const how = hasCodes ? 'a code by e-mail' : (providers[0]?.name ?? '')
  const text = `${why} Sign in again with ${how}, then accept the invitation.`
  return { title: VERIFY_FIRST, text, button: 'Sign in again' }
}

function invalidLinkPage(gate: Exchange['gate']): Response {
  const text =
    'The link was already used or has expired. Ask the operator of the service for a new link (`octavo-service login-link`).'
  return htmlPage(
    renderMessage({ ...gate, title: 'This link does not work', text, link: SIGN_IN_LINK }),
    404,
  )
}
