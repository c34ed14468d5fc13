import { resolve } from 'node:path'
import { printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { DeployError } from '../deploy/deploy-error.ts'
import { findApiKey } from '../deploy/find-api-key.ts'
import { colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import { download } from './download.ts'
import { ExportError } from './export-error.ts'
import { createExportProgress, printMegabytes } from './export-progress.ts'
import { PartFile } from './partial-file.ts'
import type { RowFormat } from './row-scanner.ts'

export type ExportOptions = {
  readonly project: string
  readonly from: string | undefined
  readonly to: string | undefined
  /** The service's URL, with a trailing slash. */
  readonly service: URL
  readonly output: string
  readonly format: RowFormat
}

const MEDIA_TYPE: Readonly<Record<RowFormat, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
}

/**
 * `octavo export`: downloads a project's conversations into a file. An interrupted export resumes.
 */
export async function exportConversations(
  world: CommandContext,
  options: ExportOptions,
): Promise<ExitCode> {
  let part: PartFile | undefined
  try {
    const apiKey = await findApiKey(world, options)
    // A key that is not a valid header value is rejected here, because the error from `fetch` would
    // contain the key.
    if (apiKey === undefined || !/^[\x21-\x7e]+$/.test(apiKey)) {
      const what = apiKey === undefined ? 'is not set' : 'is not an API key'
      world.err.write(
        `octavo: OCTAVO_API_KEY ${what}. Set it to a key with the scope analytics:read, or run \`octavo login\`.\n`,
      )
      return EXIT.usage
    }
    part = await PartFile.open(resolve(world.cwd, options.output), options.format, {
      project: options.project,
      from: options.from,
      to: options.to,
    })
    const progress = createExportProgress(world, part.rowCount)
    const accept = MEDIA_TYPE[options.format]
    await download(world, { address: addressOf(options), accept, apiKey }, { part, progress })
    await part.finish()
  } catch (error) {
    await part?.leave()
    return fail(world, error, part?.rowCount ?? 0)
  }
  const mark = colorsFor(world.out, world.env).green('✓')
  const size = printMegabytes(part.byteCount)
  world.out.write(
    `${mark} ${plural(part.rowCount, 'conversation')} in ${options.output}, ${size}.\n`,
  )
  return EXIT.ok
}

function addressOf({ service, project, from, to }: ExportOptions): URL {
  const address = new URL(`v1/analytics/${encodeURIComponent(project)}/assistant`, service)
  if (from !== undefined) address.searchParams.set('dateFrom', from)
  if (to !== undefined) address.searchParams.set('dateTo', to)
  return address
}

/** Prints the reason for a failure and how many rows are kept. Rethrows unexpected errors. */
function fail(world: CommandContext, error: unknown, rowCount: number): ExitCode {
  const isExpected =
    error instanceof ExportError ||
    error instanceof DeployError ||
    (error instanceof Error && 'syscall' in error)
  if (!isExpected) throw error
  world.err.write(`octavo: ${printable(error.message)}\n`)
  if (rowCount > 0)
    world.err.write(
      `${plural(rowCount, 'conversation')} downloaded. Run the same command again to continue.\n`,
    )
  return EXIT.failed
}
