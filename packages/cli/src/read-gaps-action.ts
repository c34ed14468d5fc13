import { GAP_STATES, type GapState } from './deploy/gap-states.ts'
import type { GapsAction } from './deploy/gaps.ts'
import { unknownSubcommand } from './unknown-subcommand.ts'

/** Returns the action of `octavo gaps`, or an error message. */
export function readGapsAction(
  [verb = 'list', ...words]: readonly string[],
  { state }: { readonly state?: string },
): GapsAction | string {
  const [id, page] = words
  const surplus = words[WORD_COUNTS[verb] ?? 1]
  if (surplus !== undefined) return `Unexpected argument "${surplus}".`
  switch (verb) {
    case 'list':
      if (state !== undefined && !isState(state))
        return `Invalid --state "${state}": expected ${GAP_STATES.join(', ')}.`
      return { verb, state }
    case 'link':
    case 'verify':
    case 'dismiss':
    case 'reopen':
    case 'compare':
      break
    default:
      return unknownSubcommand('gaps', verb)
  }
  if (state !== undefined) return '--state is an option of `gaps list`.'
  if (verb === 'compare')
    return id === undefined ? 'Missing argument: the number of a deployment.' : { verb, id }
  if (id === undefined) return 'Missing argument: the id of a gap.'
  if (verb !== 'link') return { verb, id }
  return page === undefined
    ? 'Missing argument: the path of a page, such as /guides/start.'
    : { verb, id, page }
}

/** The number of arguments of the verbs that do not take exactly one id. */
const WORD_COUNTS: Readonly<Record<string, number>> = { list: 0, link: 2 }

const isState = (text: string): text is GapState => (GAP_STATES as readonly string[]).includes(text)
