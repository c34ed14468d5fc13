import { type Diagnostic, printable } from '@octavo/model'
import { MockApi, parseSpecification, type SpecificationVersion } from '@octavo/openapi'
import type { NetworkOptions } from '../commands/specification-fetcher.ts'
import { readSpecifications } from '../commands/specification-versions.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { listen, portTaken, printOrigin } from '../loopback/listen.ts'
import { type Colors, colorsFor } from '../report/colors.ts'
import { plural } from '../report/plural.ts'
import { printProblems } from '../report/print-report.ts'
import { MockServer } from './mock-server.ts'
import { printRequest } from './print-request.ts'

export type MockOptions = NetworkOptions & {
  /** A specification, or a folder with specifications. */
  readonly source: string
  readonly host: string
  /** The port; by default, the first free port starting at 4010. */
  readonly port: number | undefined
}

const PORT_FIRST = 4_010

/** `octavo mock`: answers requests as the specifications describe it. */
export async function mock(world: CommandContext, options: MockOptions): Promise<ExitCode> {
  const read = await readSpecifications(world, options.source, options)
  if (typeof read === 'string') {
    world.err.write(`octavo: ${read}\n`)
    return EXIT.usage
  }
  const apis = openApis(world, read, options.source)
  if (apis.length === 0) {
    world.err.write(`octavo: "${options.source}" has no specification that can be served.\n`)
    return EXIT.problems
  }
  const colors = colorsFor(world.out, world.env)
  const server = new MockServer({
    apis: apis.map(({ api }) => api),
    host: options.host,
    now: world.clock.now,
    onRequest: (seen) => world.out.write(printRequest(seen, colors)),
  })
  const port = await listen(server, options.port, PORT_FIRST)
  if (port === undefined) {
    world.err.write(portTaken(options.port, PORT_FIRST))
    return EXIT.usage
  }
  world.out.write(printStart(apis, printOrigin(options.host, port), colors))
  await world.waitForSignal?.()
  await server.close()
  return EXIT.ok
}

type ServedApi = {
  /** The path of the specification, as seen from the working directory. */
  readonly file: string
  readonly api: MockApi
}

/** Returns the specifications that can be served, and reports the others. */
function openApis(
  world: CommandContext,
  { texts, isFolder, read, overlays }: SpecificationVersion,
  source: string,
): readonly ServedApi[] {
  const apis: ServedApi[] = []
  for (const [name, text] of texts) {
    const folder = isFolder ? `${source.replace(/\/$/, '')}/` : source.slice(0, -name.length)
    // `octavo check` checks the examples.
    const options = { read, overlays: overlays?.get(name), skipsExamples: true }
    const { specification, diagnostics } = parseSpecification(name, text, options)
    if (specification !== undefined) {
      apis.push({ file: `${folder}${name}`, api: new MockApi(specification) })
      continue
    }
    const errors = diagnostics.filter(isError).map(({ place, ...error }) => ({
      ...error,
      place: { ...place, file: `${folder}${place.file}` },
    }))
    printProblems({ ...world, out: world.err }, errors, (file) => {
      const own = file.slice(folder.length)
      const shown = own === name ? text : read?.(own)
      return typeof shown === 'string' ? shown : undefined
    })
  }
  return apis
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function printStart(
  apis: readonly ServedApi[],
  origin: string,
  { bold, dim, green }: Colors,
): string {
  const lines = apis.map(({ file, api: { operations, basePaths } }) => {
    const also = basePaths.length === 0 ? '' : `, also below ${basePaths.join(' and ')}`
    return `  ${dim(printable(`${plural(operations.length, 'operation')} of ${file}${also}`))}\n`
  })
  return `\n  ${green('octavo mock')}  ${bold(`${origin}/`)}\n${lines.join('')}  ${dim('Press Ctrl+C to stop.')}\n\n`
}
