/**
 * Prints the events of `octavo dev` to the terminal line by line, with a status line below them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDate, type SpecificationOutcome } from '@octavo/builder'
import { type Diagnostic, formatCount, formatDiagnostic, printable } from '@octavo/model'
import { withNotFoundHint } from '../commands/not-found-hint.ts'
import type { CommandContext } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { countSeverities } from '../report/count-severities.ts'
import { plural } from '../report/plural.ts'
import { printProblems } from '../report/print-report.ts'

export type StatusFacts = {
  readonly pageCount: number
  readonly diagnostics: readonly Diagnostic[]
  readonly checking?: { readonly done: number; readonly total: number }
}

/** The maximum number of new problems to list. Further ones are counted. */
const LISTED_MAX = 10

export class DevStatus {
  readonly #world: CommandContext
  readonly #folder: string
  #line = ''
  /**
   * How often each problem was printed. The keys have no line numbers, because edits move lines.
   */
  #said: ReadonlyMap<string, number> = new Map()

  constructor(world: CommandContext, folder: string) {
    this.#world = world
    this.#folder = folder
  }

  say(text: string): void {
    this.#clear()
    this.#world.out.write(`${text}\n`)
    this.#draw()
  }

  printReadyLine(ready: {
    readonly url: string
    readonly seconds: number
    readonly pageCount: number
    /** True if the site uses hosted specifications. */
    readonly hasHosted: boolean
  }): void {
    const { bold, dim, green } = colorsFor(this.#world.out, this.#world.env)
    const facts = `${plural(ready.pageCount, 'page')}, ready in ${ready.seconds.toFixed(2)} s`
    const keys = ready.hasHosted
      ? 'Press r and Enter to fetch hosted specifications again, or Ctrl+C to stop.'
      : 'Press Ctrl+C to stop.'
    this.say(`\n  ${green('octavo dev')}  ${bold(ready.url)}\n  ${dim(`${facts}. ${keys}`)}\n`)
  }

  /** Prints the outcome for each hosted specification. */
  printSpecifications(
    outcomes: ReadonlyMap<string, SpecificationOutcome>,
    { offline }: { readonly offline: boolean },
  ): void {
    const { green, yellow, red } = colorsFor(this.#world.out, this.#world.env)
    for (const [url, outcome] of outcomes) {
      const isLoaded = outcome.kind === 'loaded'
      const state = isLoaded && offline ? 'copy used' : stateOf(outcome)
      const paint = isLoaded ? green : outcome.kind === 'stale' ? yellow : red
      this.say(`${printable(url)}  ${paint(state)}`)
    }
  }

  printChange(change: {
    readonly files: ReadonlySet<string>
    readonly shown: number
    readonly ms: number
  }): void {
    const { dim } = colorsFor(this.#world.out, this.#world.env)
    const [first = 'ignore rules', ...others] = change.files
    const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other file')}`
    const effect =
      change.shown === 0 ? 'no open page changed' : `${plural(change.shown, 'open page')} updated`
    this.say(`${printable(first)}${more}  ${dim(`${effect}, ${Math.round(change.ms)} ms`)}`)
  }

  /** Prints problems that were not printed before. */
  printNewProblems(diagnostics: readonly Diagnostic[]): void {
    const serious = diagnostics.filter(({ severity }) => severity !== 'note')
    const seen = new Map<string, number>()
    const fresh = unique(serious).filter((one) => {
      const key = problemKey(one)
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      return count > (this.#said.get(key) ?? 0)
    })
    const most = (key: string) => Math.max(seen.get(key) ?? 0, this.#said.get(key) ?? 0)
    this.#said = new Map([...this.#said.keys(), ...seen.keys()].map((key) => [key, most(key)]))
    if (fresh.length === 0) return
    this.#clear()
    const listed = fresh.slice(0, LISTED_MAX)
    const { cwd } = this.#world
    const hinted = withNotFoundHint(listed, { folder: this.#folder, cwd })
    printProblems(this.#world, hinted, (file) => readSource(join(this.#folder, file)))
    if (fresh.length > LISTED_MAX) {
      const rest = plural(fresh.length - LISTED_MAX, 'more problem')
      this.#world.out.write(`and ${rest}: \`octavo check\` lists them.\n`)
    }
    this.#draw()
  }

  /**
   * Forgets fixed problems, so that they are printed again if they come back. `diagnostics` is the
   * full current list.
   */
  forgetProblems(diagnostics: readonly Diagnostic[]): void {
    const now = Map.groupBy(unique(diagnostics), problemKey)
    const least = (key: string, count: number) => Math.min(count, now.get(key)?.length ?? 0)
    this.#said = new Map([...this.#said].map(([key, count]) => [key, least(key, count)]))
  }

  /**
   * Forgets the problems in `before` that are no longer in `now`, so that they are printed again if
   * they return.
   */
  forgetFixed(before: readonly Diagnostic[], now: readonly Diagnostic[]): void {
    const keys = new Set(before.map(problemKey))
    const left = Map.groupBy(unique(now), problemKey)
    const least = (key: string, count: number) =>
      keys.has(key) ? Math.min(count, left.get(key)?.length ?? 0) : count
    this.#said = new Map([...this.#said].map(([key, count]) => [key, least(key, count)]))
  }

  show({ pageCount, diagnostics, checking }: StatusFacts): void {
    const { red, yellow, blue, green, dim } = colorsFor(this.#world.out, this.#world.env)
    const { error, warning, note } = countSeverities(diagnostics)
    const problems = [
      ...(error > 0 ? [red(plural(error, 'error'))] : []),
      ...(warning > 0 ? [yellow(plural(warning, 'warning'))] : []),
      ...(note > 0 ? [blue(plural(note, 'note'))] : []),
    ]
    const found = problems.length > 0 ? problems.join(', ') : green('no problems')
    const progress =
      checking && `checking ${formatCount(checking.done)} of ${plural(checking.total, 'page')}`
    const parts = [dim(plural(pageCount, 'page')), found, ...(progress ? [dim(progress)] : [])]
    this.#clear()
    this.#line = parts.join(dim(' · '))
    this.#draw()
  }

  /** Removes the status line. */
  end(): void {
    this.#clear()
    this.#line = ''
  }

  #clear(): void {
    if (this.#line !== '' && this.#world.out.isTTY) this.#world.out.write('\r\u001b[K')
  }

  #draw(): void {
    if (this.#line !== '' && this.#world.out.isTTY) this.#world.out.write(this.#line)
  }
}

/** Removes duplicates: an open page and the build of the whole site can report the same finding. */
function unique(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [formatDiagnostic(one), one])).values()]
}

function problemKey({ code, message, place }: Diagnostic): string {
  return `${place.file} ${code} ${message}`
}

function stateOf(outcome: SpecificationOutcome): string {
  switch (outcome.kind) {
    case 'loaded':
      return 'fetched'
    case 'stale':
      return `copy of ${formatDate(outcome.fetchedAtMs)} used`
    case 'unreachable':
      return 'unreachable'
    case 'refused':
      return 'refused'
    case 'too-large':
      return 'too large'
    case 'malformed':
      return 'not a specification'
    case 'pending':
      return 'not fetched yet'
  }
}

function readSource(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // If the file cannot be read, the message is printed without an excerpt.
    return undefined
  }
}
