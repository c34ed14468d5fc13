import type { CommandLine } from './command-line.ts'
import type { EvalGapsOptions } from './deploy/eval-gaps.ts'
import { readServiceOptions } from './read-service-options.ts'

type Written = {
  readonly gaps?: string
  readonly json?: boolean
  readonly project?: string
  readonly service?: string
}

/** Reads the arguments of `octavo eval --gaps`, which queries a service instead of a folder. */
export function readEvalGaps(written: Written, words: readonly string[]): CommandLine {
  const options = readOptions(written, words)
  return typeof options === 'string'
    ? { kind: 'wrong', reason: options, command: 'eval' }
    : { kind: 'eval-gaps', options }
}

/** Returns the options, or an error message if they are invalid. */
function readOptions(written: Written, [word]: readonly string[]): EvalGapsOptions | string {
  if (word !== undefined) return '--gaps uses the questions of readers. Remove the file.'
  const { gaps: deployment = '', json = false, project: _, service: __, ...others } = written
  const [other] = Object.keys(others)
  if (other !== undefined) return `--gaps cannot be combined with --${other}.`
  if (deployment === '') return 'Missing value of --gaps: the number of a deployment.'
  const at = readServiceOptions(written)
  return typeof at === 'string' ? at : { ...at, deployment, json }
}
