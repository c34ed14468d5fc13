import type { DomainAction } from './deploy/domain.ts'
import { unknownSubcommand } from './unknown-subcommand.ts'

/** Returns the action of `octavo domain`, or an error message. */
export function readDomainAction([verb = 'list', ...words]: readonly string[]):
  | DomainAction
  | string {
  const [name] = words
  const surplus = words[verb === 'list' ? 0 : 1]
  if (surplus !== undefined) return `Unexpected argument "${surplus}".`
  switch (verb) {
    case 'list':
      return { verb }
    case 'check':
      return { verb, name }
    case 'add':
    case 'remove':
    case 'redirect':
    case 'no-redirect':
      return name === undefined
        ? 'Missing argument: the domain, such as docs.example.com.'
        : { verb, name }
    default:
      return unknownSubcommand('domain', verb)
  }
}
