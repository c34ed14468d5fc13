import { formatPlace, printable } from '@octavo/model'
import type { LanguageId } from '@octavo/openapi'
import type { Colors } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import { printAnnotation } from '../report/print-github.ts'
import { runtimeNames } from './proof-file.ts'
import type { FoundRuntime } from './runtimes.ts'
import type { ListedSample, SampleResult } from './sample-list.ts'

/** Prints what will be run, and that code of authors runs with the rights of the caller. */
export function printStart(
  samples: readonly ListedSample[],
  runtimes: ReadonlyMap<LanguageId, FoundRuntime>,
  { bold, yellow }: Colors,
): string {
  const operations = new Set(samples.map(({ place, operation }) => `${place.file} ${operation}`))
  const names = runtimeNames(runtimes).join(', ') || 'no runtime'
  const count = `${plural(samples.length, 'sample')} of ${plural(operations.size, 'operation')}`
  const written = samples.filter(({ isWritten, runnable }) => isWritten && runnable !== undefined)
  const warning =
    written.length === 0
      ? ''
      : yellow(
          `${plural(written.length, 'sample')} from \`x-codeSamples\`: this code of the specification's authors runs on this machine, with your rights.\n`,
        )
  return `${bold('octavo test')}  ${count}, with ${printable(names)}\n${warning}\n`
}

/** How failed samples are printed: as text, or as annotations of GitHub for files in a folder. */
export type FailureFormat =
  | { readonly format: 'text' }
  | { readonly format: 'github'; readonly folder: string }

/** Prints the samples that failed, how many were not run and why, and a summary. */
export function printResults(
  results: readonly SampleResult[],
  how: FailureFormat,
  colors: Colors,
): string {
  const of = (outcome: SampleResult['outcome']) => results.filter((one) => one.outcome === outcome)
  const failed = of('failed')
  const notRun = Map.groupBy(of('not-run'), ({ label, reason }) => `${label}: ${reason}`)
  const reasons = [...notRun].map(
    ([why, { length }]) =>
      `${colors.yellow('not run')}  ${plural(length, 'sample')}, ${printable(why)}.\n`,
  )
  const counts = [
    colors.green(`${of('passed').length} passed`),
    ...(failed.length === 0 ? [] : [colors.red(`${failed.length} failed`)]),
    ...(notRun.size === 0 ? [] : [colors.yellow(`${of('not-run').length} not run`)]),
  ]
  const isProven = failed.length === 0 && of('passed').length > 0
  const mark = isProven ? colors.green('✓') : colors.red('✗')
  const shown = failed.map((one) =>
    how.format === 'text' ? printFailed(one, colors) : annotate(one, how.folder),
  )
  const note = failed.some(({ isWritten }) => isWritten) ? ENV_NOTE : ''
  return `${[...shown, ...reasons].join('')}${note}${mark} ${counts.join(', ')}.\n`
}

const ENV_NOTE =
  'Samples get no variables of this terminal. Set those that they read, such as a key, with --env <name>=<value>.\n'

function printFailed(
  { place, operation, label, problems, output }: SampleResult,
  { red, bold, dim, green }: Colors,
): string {
  const title = `${red('failed')}  ${bold(formatPlace(place))}  ${printable(operation)}  ${printable(label)}\n`
  const lines = problems.map(
    ({ place: at, reason, hint }) =>
      `  ${printable(at)}: ${printable(reason)}\n  ${green('Hint:')} ${printable(hint)}\n`,
  )
  const printed = output
    .split('\n')
    .filter((line) => line !== '')
    .slice(-OUTPUT_LINES_MAX)
    .map((line) => `  ${dim(`│ ${printable(line)}`)}\n`)
  return `${title}${lines.join('')}${printed.join('')}\n`
}

const OUTPUT_LINES_MAX = 8

function annotate({ place, operation, label, problems }: SampleResult, folder: string): string {
  const lines = problems.map((one) => `${one.place}: ${one.reason}\nHint: ${one.hint}`)
  const title = `${operation} ${label}`
  return printAnnotation({ severity: 'error', place, title, text: lines.join('\n') }, folder)
}
