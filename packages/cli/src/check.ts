import type { Diagnostic } from '@octavo/model'
import type { Format } from './command-line.ts'
import { openSite } from './open-site.ts'
import { printGithub } from './print-github.ts'
import { printReport } from './print-report.ts'
import { EXIT, type ExitCode, type World } from './world.ts'

export type CheckOptions = {
  readonly folder: string
  readonly format: Format
  readonly strict: boolean
  readonly all: boolean
}

/** `octavo check`: every mistake, with its place, its reason and what to do. */
export function check(world: World, options: CheckOptions): ExitCode {
  const opened = openSite(world, options.folder)
  if (opened.kind === 'no-folder') {
    world.err.write(`octavo: there is no folder "${opened.folder}".\n`)
    return EXIT.usage
  }
  const { site, diagnostics } = opened.result
  const pageCount = site?.pages.filter((page) => !page.aside).length ?? 0
  switch (options.format) {
    case 'text':
      printReport(world, {
        diagnostics,
        pageCount,
        all: options.all,
        strict: options.strict,
        read: opened.tree.read,
      })
      break
    case 'json':
      world.out.write(
        `${JSON.stringify({ pageCount, counts: count(diagnostics), diagnostics }, null, 2)}\n`,
      )
      break
    case 'github':
      world.out.write(printGithub(diagnostics, options.folder))
      break
  }
  if (diagnostics.some(({ code }) => code === 'config/not-found')) return EXIT.usage
  const { error, warning } = count(diagnostics)
  return error > 0 || (options.strict && warning > 0) ? EXIT.problems : EXIT.ok
}

/** How many of each severity. */
export function count(diagnostics: readonly Diagnostic[]): Record<Diagnostic['severity'], number> {
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of diagnostics) counts[severity] += 1
  return counts
}
