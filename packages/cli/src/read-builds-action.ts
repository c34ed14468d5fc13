import type { BuildsAction } from './deploy/builds.ts'
import { unknownSubcommand } from './unknown-subcommand.ts'

/** Returns the action of `octavo builds`, or an error message. */
export function readBuildsAction(
  [verb = 'list', id, extra]: readonly string[],
  options: { readonly branch?: string; readonly follow?: boolean; readonly all?: boolean },
): BuildsAction | string {
  const { branch, follow = false, all = false } = options
  const surplus = verb === 'list' ? id : extra
  if (surplus !== undefined) return `Unexpected argument "${surplus}".`
  const misplaced = Object.entries(OPTION_OF).find(
    ([name, owner]) => options[name as keyof typeof options] !== undefined && owner !== verb,
  )
  switch (verb) {
    case 'list':
    case 'show':
    case 'log':
    case 'cancel':
    case 'retry':
      break
    default:
      return unknownSubcommand('builds', verb)
  }
  if (misplaced !== undefined)
    return `--${misplaced[0]} is an option of \`builds ${misplaced[1]}\`.`
  if (verb === 'list') return { verb, branch }
  if (id === undefined) return 'Missing argument: the id of a build.'
  switch (verb) {
    case 'show':
      return { verb, id, all }
    case 'log':
      return { verb, id, follow }
    default:
      return { verb, id }
  }
}

const OPTION_OF = { branch: 'list', follow: 'log', all: 'show' } as const
