/**
 * The page where a person enters the code that `octavo login` shows, and allows or denies the
 * sign-in.
 */
import { renderDevice, renderMessage } from '@octavo/dashboard'
import { addressPrefix } from '../../platform/audit/store.ts'
import { countAttempt } from '../../platform/limits/hourly-limit.ts'
import { Problem } from '../../platform/problem.ts'
import { findByHash } from '../../platform/secrets/pepper-ring.ts'
import { createDeviceStore } from './devices/store.ts'
import { readUserCode } from './devices/user-code.ts'
import { formTokenOf, readForm, requireFormToken } from './forms.ts'
import { type Exchange, htmlPage, redirect, type SignInDeps, type WebPage } from './page.ts'

const LIMIT_PER_PERSON = { action: 'device-person', perHour: 30 }
const LIMIT_PER_ADDRESS = { action: 'device-code', perHour: 100 }
const UNKNOWN = 'This code is not valid or has expired. Codes are valid for 10 minutes.'

export function devicePages(deps: SignInDeps): readonly WebPage[] {
  const { database, pepper } = deps
  const store = createDeviceStore(database)

  async function device(exchange: Exchange): Promise<Response> {
    const { request, person, gate } = exchange
    if (person === undefined) return redirect('/sign-in?next=/device')
    const formToken = formTokenOf(person, pepper)
    const action = '/device'
    // The code is not read from the URL: an attacker's link could contain one.
    if (request.method !== 'POST') return htmlPage(renderDevice({ ...gate, action, formToken }))
    const form = await readForm(request)
    requireFormToken(form, person, pepper)
    const isFew =
      (await countAttempt(deps, LIMIT_PER_PERSON, person.userId)) &&
      (await countAttempt(deps, LIMIT_PER_ADDRESS, addressPrefix(exchange.clientAddress) ?? ''))
    if (!isFew) throw new Problem('rate-limited', 'Too many attempts. Try again in an hour.')
    const code = readUserCode(form.get('code'))
    const hashes = code === undefined ? [] : pepper.hashes('device user code', code)
    const known = await findByHash(hashes, store.read)
    if (code === undefined || known === undefined) {
      const typed = (form.get('code') ?? '').slice(0, 20)
      const page = { ...gate, action, formToken, code: typed, error: UNKNOWN }
      return htmlPage(renderDevice(page), 422)
    }
    const answer = form.get('answer')
    if (answer !== 'allow' && answer !== 'deny') {
      const { name, network } = known.found
      const asks = { name, ...(network !== null && { network }) }
      return htmlPage(renderDevice({ ...gate, action, formToken, code, device: asks }))
    }
    const isDenied = answer === 'deny'
    if (!(await store.decide(known.hash, person, isDenied)))
      return htmlPage(renderDevice({ ...gate, action, formToken, error: UNKNOWN }), 422)
    const text = isDenied
      ? 'The sign-in was denied. No session was created.'
      : 'Go back to your terminal. The new session is listed on your account page, where you can end it.'
    const title = isDenied ? 'The command-line sign-in was denied' : 'The command line is signed in'
    return htmlPage(renderMessage({ ...gate, title, text }))
  }

  return [{ path: '/device', answer: device }]
}
