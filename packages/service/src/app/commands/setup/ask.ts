/** Asks the user questions in the terminal, one line each. Answers can also be piped in. */
import { createInterface } from 'node:readline'
import { UsageError } from '../arguments.ts'

export type Question = {
  readonly text: string
  /** The command-line option that replaces the question. */
  readonly option: string
  /** The answer if the user enters an empty line. */
  readonly fallback?: string | undefined
  /** Shown instead of the fallback itself. */
  readonly fallbackText?: string | undefined
  /** Returns the reason why an answer is invalid; undefined if it is valid. */
  readonly findProblem: (answer: string) => string | undefined
}

export type Prompter = {
  /** Asks until the answer is valid. */
  readonly ask: (question: Question) => Promise<string>
  readonly close: () => void
}

export type Terminal = {
  readonly input: NodeJS.ReadableStream
  /** Writes text without a line break. */
  readonly write: (text: string) => void
}

export function createPrompter({ input, write }: Terminal): Prompter {
  const lines = createInterface({ input, terminal: false })
  const answers = lines[Symbol.asyncIterator]()
  return {
    async ask({ text, option, fallback, fallbackText = fallback, findProblem }) {
      for (;;) {
        write(`${text}${fallbackText === undefined ? '' : ` [${fallbackText}]`}: `)
        const next = await answers.next()
        if (next.done === true) {
          write('\n')
          throw new UsageError(
            `Missing --${option}: the question was not answered, so nothing was written.`,
          )
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

/** Returns the fallback without asking. Throws if there is no fallback or it is invalid. */
export function useFallback({ option, fallback, findProblem }: Question): string {
  if (fallback === undefined) throw new UsageError(`Missing --${option}.`)
  const problem = findProblem(fallback)
  if (problem !== undefined) throw new UsageError(problem)
  return fallback
}
