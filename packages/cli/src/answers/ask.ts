import { printable } from '@octavo/model'
import { type AnswerSource, answerFromPassages } from '@octavo/search'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { type LibraryOptions, openSiteLibrary } from './open-site-library.ts'

export type AskOptions = LibraryOptions & { readonly question: string; readonly json: boolean }

/**
 * `octavo ask`: quotes what the documentation says about a question, or reports that it does not
 * answer it.
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
  if (options.json) world.out.write(`${JSON.stringify({ text, ...outcome })}\n`)
  else {
    const { dim } = colorsFor(world.out, world.env)
    const pages = outcome.status === 'answered' ? outcome.sources : outcome.nearest
    const head = outcome.status === 'answered' ? 'Source:' : 'Nearest pages:'
    world.out.write(`${text.split('\n').map(printable).join('\n')}\n`)
    if (pages.length > 0) world.out.write(`\n${dim(head)}\n${pages.map(printSource).join('')}`)
  }
  return outcome.status === 'answered' ? EXIT.ok : EXIT.problems
}

function printSource({ url, title }: AnswerSource): string {
  return `  ${printable(title)}  ${printable(url)}\n`
}
