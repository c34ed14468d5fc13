import type { LibraryOptions } from './answers/open-site-library.ts'
import type { CommandLine } from './command-line.ts'
import type { NetworkOptions } from './commands/specification-fetcher.ts'
import { readServiceOptions } from './read-service-options.ts'

type Written = {
  readonly vectors?: string | undefined
  readonly scope?: string | undefined
  readonly out?: string | undefined
  readonly against?: string | undefined
  readonly model?: string | undefined
  readonly json?: boolean | undefined
  readonly project?: string | undefined
  readonly service?: string | undefined
  readonly network: NetworkOptions
}
type Question = { readonly first: string } & Pick<LibraryOptions, 'folder' | 'vectors' | 'scope'>

/** Reads the arguments of `octavo ask` and `octavo eval`. */
export function readAsk(
  command: 'ask' | 'eval',
  values: Written,
  words: readonly string[],
): CommandLine {
  const wrong = (reason: string): CommandLine => ({ kind: 'wrong', reason, command })
  // The current folder has the questions if no file is named.
  const read = readQuestion(command === 'eval' && words.length === 0 ? ['.'] : words, values)
  if (typeof read === 'string') return wrong(read)
  const { first, ...rest } = read
  const options = { ...rest, json: values.json ?? false, ...values.network }
  if (command === 'ask') return { kind: 'ask', options: { question: first, ...options } }
  const { out, against, model } = values
  const asked = { questions: first, out, model, ...options }
  if ((values.project ?? values.service) === undefined)
    return { kind: 'eval', options: { ...asked, against } }
  if (against === undefined) return wrong('--project needs --against or --gaps.')
  const service = readServiceOptions(values)
  if (typeof service === 'string') return wrong(service)
  return { kind: 'eval-against', options: { ...asked, ...service, deployment: against } }
}

/** Returns the arguments of both commands, or an error message. */
function readQuestion(
  [first = '', folder = '.', extra]: readonly string[],
  { vectors = 'off', scope, out, against, model }: Written,
): Question | string {
  if (first.trim() === '') return 'Missing argument: the question, or the file with questions.'
  if (extra !== undefined) return `Unexpected argument "${extra}".`
  if (vectors !== 'off' && vectors !== 'local')
    return `Invalid --vectors "${vectors}": expected off or local.`
  if (model !== undefined && (out ?? against) !== undefined)
    return '--model cannot be combined with --out or --against.'
  return { first, folder, vectors, scope }
}
