/** Questions to the person at the terminal, one line each. Lines of a pipe are answers too. */
import { createInterface } from 'node:readline'
import { UsageError } from '../arguments.ts'

export type Question = {
  readonly text: string
  /** The option that answers it without a question. */
  readonly option: string
  /** The answer of an empty line. */
  readonly fallback?: string | undefined
  /** The text to show for it, if it is not the answer itself. */
  readonly fallbackText?: string | undefined
  /** Why an answer cannot be used; undefined when it can. */
  readonly findProblem: (answer: string) => string | undefined
}

export type Asker = {
  /** Asks until the answer can be used. */
  readonly ask: (question: Question) => Promise<string>
  readonly close: () => void
}

export type Terminal = {
  readonly input: NodeJS.ReadableStream
  /** Without an end of line. */
  readonly write: (text: string) => void
}

export function createAsker({ input, write }: Terminal): Asker {
  const lines = createInterface({ input, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  return {
    async ask({ text, option, fallback, fallbackText = fallback, findProblem }) {
      for (;;) {
        write(`${text}${fallbackText === undefined ? '' : ` [${fallbackText}]`}: `)
        const next = await answers.next()
        if (next.done === true) {
          write('\n')
          throw new UsageError(`Missing --${option}: there was no answer, and nothing was written.`)
        }
        const answer = next.value.trim() || (fallback ?? '')
        const problem = findProblem(answer)
        if (problem === undefined) return answer
        write(`  ${problem}\n`)
      }
    },
    close: () => lines.close(),
  }
}

/** Takes what an option would be asked for without a question: its fallback, or it is missing. */
export function answerWithoutAsking({ option, fallback, findProblem }: Question): string {
  if (fallback === undefined) throw new UsageError(`Missing --${option}.`)
  const problem = findProblem(fallback)
  if (problem !== undefined) throw new UsageError(problem)
  return fallback
}
