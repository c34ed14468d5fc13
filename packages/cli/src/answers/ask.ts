import { printable } from '@octavo/model'
import { type AnswerSource, answerFromPassages } from '@octavo/search'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { type LibraryOptions, openSiteLibrary } from './open-site-library.ts'

export type AskOptions = LibraryOptions & { readonly question: string; readonly json: boolean }

/**
 * `octavo ask`: quotes the section that answers a question. Otherwise, shows the sections that
 * fit best or reports that the documentation does not answer the question.
 */
export async function ask(world: CommandContext, options: AskOptions): Promise<ExitCode> {
  const opened = await openSiteLibrary(world, options)
  if (typeof opened === 'string') {
    world.err.write(`octavo: ${opened}\n`)
    return EXIT.usage
  }
  const { library, close } = opened
  const texts: string[] = []
  const outcome = await answerFromPassages(
    { text: options.question, history: [] },
    {
      library,
      signal: new AbortController().signal,
      give: async (part) => {
        if (part.type === 'text') texts.push(part.text)
      },
    },
  )
  close()
  const text = texts.join('')
  const { matches = [], ...answer } = outcome
  if (options.json) world.out.write(`${JSON.stringify({ text, ...answer, matches })}\n`)
  else {
    const { dim } = colorsFor(world.out, world.env)
    const isAnswered = outcome.status === 'answered'
    const pages = isAnswered ? outcome.sources : outcome.nearest
    const head = isAnswered ? 'Source:' : 'Nearest pages:'
    world.out.write(printLines(text))
    if (pages.length > 0 && (isAnswered || matches.length === 0))
      world.out.write(`\n${dim(head)}\n${pages.map(printSource).join('')}`)
    if (isAnswered && matches.length > 0) world.out.write(`\n${dim('More matches:')}\n`)
    for (const match of matches)
      world.out.write(`\n${dim(printSource(match).trim())}\n\n${printLines(match.text)}`)
  }
  return outcome.status === 'answered' ? EXIT.ok : EXIT.problems
}

function printLines(text: string): string {
  return `${text.split('\n').map(printable).join('\n')}\n`
}

function printSource({ url, title }: AnswerSource): string {
  return `  ${printable(title)}  ${printable(url)}\n`
}
