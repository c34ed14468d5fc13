/**
 * Rejects a site whose docs.json asks for sign-in (`auth`, `userAuth`) in a project that everyone
 * can read.
 */
import { type Diagnostic, diagnose, type Place } from '@octavo/model'
import { Problem } from '../../platform/problem.ts'

/** The field that confirms publishing such a site. */
export const ACCEPT_PUBLIC = 'acceptPublic'

const MESSAGE = 'docs.json asks readers to sign in, but everyone can read this project.'
const WAY_OUT =
  'Choose how readers sign in: in the dashboard, under Access. If everyone may read the site, remove `auth` and `userAuth` from docs.json'

export const publicSiteProblem = () =>
  new Problem(
    'conflict',
    `${MESSAGE} ${WAY_OUT}, or deploy with \`octavo deploy --public\` (\`acceptPublic\`).`,
    { param: ACCEPT_PUBLIC },
  )

/** Returns the same error as a diagnostic for a build from Git, at the key's place. */
export function notProtected(
  diagnostics: readonly { readonly code: string; readonly place: Place }[],
): Diagnostic {
  const note = diagnostics.find(
    ({ code, place }) =>
      code === 'value/set-by-host' && (place.pointer === '/auth' || place.pointer === '/userAuth'),
  )
  const place = note?.place ?? { file: 'docs.json', line: 1, column: 1 }
  return diagnose('value/not-protected', place, { message: MESSAGE, hint: `${WAY_OUT}.` })
}
