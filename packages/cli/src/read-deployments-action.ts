import type { DeploymentsAction } from './deploy/deployments.ts'
import { unknownSubcommand } from './unknown-subcommand.ts'

/** Returns the action of `octavo deployments`, or an error message. */
export function readDeploymentsAction(
  [verb = 'list', word, extra]: readonly string[],
  { base, reason = '' }: { readonly base?: string; readonly reason?: string },
): DeploymentsAction | string {
  const takesWord = !['list', 'lock', 'unlock', 'previews'].includes(verb)
  const surplus = takesWord ? extra : word
  const action = actionOf({ verb, word, base, reason })
  if (typeof action === 'string' || surplus === undefined) return action
  return `Unexpected argument "${surplus}".`
}

type Words = {
  readonly verb: string
  readonly word: string | undefined
  readonly base: string | undefined
  readonly reason: string
}

function actionOf({ verb, word, base, reason }: Words): DeploymentsAction | string {
  switch (verb) {
    case 'list':
    case 'unlock':
    case 'previews':
      return { verb }
    case 'lock':
      return reason === '' ? 'Missing --reason: why the project is locked.' : { verb, reason }
    case 'rollback':
      return { verb, deployment: word }
    case 'diff':
      return { verb, deployment: word, base }
    case 'publish':
      return word === undefined
        ? 'Missing argument: the number of a deployment.'
        : { verb, deployment: word }
    case 'approve-preview':
    case 'delete-preview':
      return word === undefined ? 'Missing argument: the branch.' : { verb, branch: word }
    default:
      return unknownSubcommand('deployments', verb)
  }
}
