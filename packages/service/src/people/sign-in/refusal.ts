/** Renders an API error as a page, for a person who submitted a form. */
import { renderMessage } from '@octavo/dashboard'
import { z } from 'zod'
import { type Exchange, htmlPage } from './page.ts'

/** Calls the API in this process as the signed-in person. */
export type CallApiAs = (exchange: Exchange, path: string, body?: object) => Promise<Response>

const Refused = z.object({ code: z.string(), detail: z.string() })
const SIGN_IN_AGAIN = { href: '/sign-in?again&next=/account', label: 'Sign in again' }

export async function refusal({ gate, person }: Exchange, reply: Response): Promise<Response> {
  const { code, detail } = Refused.parse(await reply.json())
  const isStuck = code === 'sign-in-again' && person?.canSignInAgain === false
  const page = isStuck
    ? {
        text: 'This change needs a sign-in within the last 15 minutes, and you have no method to sign in again yet. Ask the operator of the service for another link (`octavo-service login-link`), sign in with it, and add a passkey immediately.',
      }
    : { text: detail, link: SIGN_IN_AGAIN }
  return htmlPage(
    renderMessage({ ...gate, title: 'The change was not made', ...page }),
    reply.status,
  )
}
