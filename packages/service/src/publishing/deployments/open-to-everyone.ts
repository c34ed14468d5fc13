/**
 * Rejects a site whose docs.json asks readers to sign in (`auth`, `userAuth`) while everyone can
 * read the project.
 */
import { type Diagnostic, diagnose, type Place } from '@octavo/model'
import { Problem } from '../../platform/problem.ts'

/** The request field that allows publishing such a site although everyone can read it. */
export const ACCEPT_PUBLIC = 'acceptPublic'

const MESSAGE = 'docs.json asks readers to sign in, but everyone can read this project.'
const HINT =
  'Choose how readers sign in, under Access in the dashboard. If everyone may read the site, remove `auth` and `userAuth` from docs.json'

export const publicSiteProblem = () =>
  new Problem(
    'conflict',
    `${MESSAGE} ${HINT}, or deploy with \`octavo deploy --public\` (\`acceptPublic\`).`,
    { param: ACCEPT_PUBLIC },
  )

/**
 * Returns the error as a diagnostic for a build from Git, with the place of the key in docs.json.
 */
export function notProtected(
  diagnostics: readonly { readonly code: string; readonly place: Place }[],
): Diagnostic {
  const note = diagnostics.find(
    ({ code, place }) =>
      code === 'value/set-by-host' && (place.pointer === '/auth' || place.pointer === '/userAuth'),
  )
  const place = note?.place ?? { file: 'docs.json', line: 1, column: 1 }
  return diagnose('value/not-protected', place, { message: MESSAGE, hint: `${HINT}.` })
}
