/** Where somebody types the code that `octavo login` shows, and says yes or no. */
import { renderDevice, renderMessage } from '@octavo/dashboard'
import { addressPrefix } from '../audit/store.ts'
import type { Database } from '../database/database.ts'
import { createDeviceStore } from '../devices/store.ts'
import { hashUserCode, readUserCode } from '../devices/user-code.ts'
import { Problem } from '../http/problem.ts'
import { countTry } from './count-tries.ts'
import { formTokenOf, isSameToken, readForm } from './forms.ts'
import { type Exchange, htmlPage, redirect, type SignInPage } from './page.ts'

export type DevicePageDeps = { readonly database: Database; readonly pepper: string }

const OF_PERSON = { kind: 'device-person', perHour: 30 }
const OF_ADDRESS = { kind: 'device-code', perHour: 100 }
const UNKNOWN = 'Nothing asks with this code. Codes work for 10 minutes.'

export function devicePages(deps: DevicePageDeps): readonly SignInPage[] {
  const { database, pepper } = deps
  const store = createDeviceStore(database)

  async function device(exchange: Exchange): Promise<Response> {
    const { request, person, gate } = exchange
    if (person === undefined) return redirect('/sign-in?next=/device')
    const formToken = formTokenOf(person, pepper)
    const action = '/device'
    // A code in the address would save typing, and would let a stranger's link do the typing.
    if (request.method !== 'POST') return htmlPage(renderDevice({ ...gate, action, formToken }))
    const form = await readForm(request)
    if (!isSameToken(form.get('token') ?? '', formToken))
      throw new Problem('forbidden', 'This form is too old. Open the page again.')
    const isFew =
      (await countTry(deps, OF_PERSON, person.userId)) &&
      (await countTry(deps, OF_ADDRESS, addressPrefix(exchange.clientAddress) ?? ''))
    if (!isFew) throw new Problem('rate-limited', 'Too many codes. Wait for an hour.')
    const code = readUserCode(form.get('code'))
    const hash = code === undefined ? undefined : hashUserCode(code, pepper)
    const found = hash && (await store.read(hash))
    if (code === undefined || hash === undefined || found === undefined) {
      const typed = (form.get('code') ?? '').slice(0, 20)
      const page = { ...gate, action, formToken, code: typed, error: UNKNOWN }
      return htmlPage(renderDevice(page), 422)
    }
    const answer = form.get('answer')
    if (answer !== 'allow' && answer !== 'deny') {
      const { name, network } = found
      const asks = { name, ...(network !== null && { network }) }
      return htmlPage(renderDevice({ ...gate, action, formToken, code, device: asks }))
    }
    const isDenied = answer === 'deny'
    await store.decide(hash, { userId: person.userId, isDenied })
    const text = isDenied
      ? 'It was told no. Nothing else happened.'
      : 'Go back to your terminal. You find it among your sessions, where you can sign it out.'
    const title = isDenied ? 'The command line stays out' : 'The command line is signed in'
    return htmlPage(renderMessage({ ...gate, title, text }))
  }

  return [{ pattern: /^\/device$/, answer: device }]
}
