import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  BASELINE_FILE,
  type BuiltFiles,
  builderVersion,
  buildSite,
  openBuiltFiles,
} from '@octavo/builder'
import { formatCount, printable, stopsDeployment } from '@octavo/model'
import { createFetcher, type NetworkOptions } from '../commands/specification-fetcher.ts'
import { workFolder } from '../commands/work-folder.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { countSeverities } from '../report/count-severities.ts'
import { plural } from '../report/plural.ts'
import { printReport } from '../report/print-report.ts'
import { DeployError } from './deploy-error.ts'
import type { ServiceClient } from './service-client.ts'
import { readSourceFacts, type SourceFacts } from './source-facts.ts'
import { waitUntilLive } from './wait-until-live.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type DeployOptions = NetworkOptions &
  ServiceOptions & {
    readonly folder: string
    /** A folder that is already built; skips the build. */
    readonly prebuilt: string | undefined
    readonly draft: boolean
    /** Publishes to the branch's preview instead of the site. */
    readonly preview: boolean
    /** Deploys even if docs.json requires sign-in and the project is public. */
    readonly acceptPublic: boolean
    readonly branch: string | undefined
    readonly message: string | undefined
    /** Deploys the site although its findings would stop it. */
    readonly allowErrors: boolean
    /** Waits until readers get the deployment. */
    readonly wait: boolean
    readonly json: boolean
  }

/** Small files are uploaded together up to this size. */
const FRAME_BYTES_MAX = 4 * 1024 * 1024
const SENDS_AT_ONCE = 4

/** `octavo deploy`: builds the site and uploads the files that the service does not have. */
export async function deploy(world: CommandContext, options: DeployOptions): Promise<ExitCode> {
  const facts = factsOf(world, options)
  if (options.preview && facts.branch === undefined) {
    world.err.write('octavo: The branch of the preview is unknown. Add --branch <name>.\n')
    return EXIT.usage
  }
  const onFailure = 'Nothing was published.'
  return withService(world, { ...options, onFailure }, async (client, renewed) => {
    const project = await client.project()
    const folder = await builtFolder(world, options, project)
    if (folder === undefined) return EXIT.problems
    const files = openBuiltFiles(folder)
    if (options.prebuilt !== undefined && !mayDeploy(world, options, { files, project }))
      return EXIT.problems
    return send(world, { client: await renewed(), files, options, facts })
  })
}

function factsOf(world: CommandContext, { folder, branch, message }: DeployOptions): SourceFacts {
  return {
    ...readSourceFacts(resolve(world.cwd, folder), world.env),
    ...(branch !== undefined && { branch }),
    ...(message !== undefined && { message }),
  }
}

type Project = Awaited<ReturnType<ServiceClient['project']>>

/** Returns the folder of the built site, or undefined if its findings stop the deployment. */
async function builtFolder(
  world: CommandContext,
  options: DeployOptions,
  { url: siteUrl, failOn }: Project,
): Promise<string | undefined> {
  if (options.prebuilt !== undefined) return resolve(world.cwd, options.prebuilt)
  const folder = resolve(world.cwd, options.folder)
  const output = workFolder(folder, 'deploy')
  const built = await buildSite({
    folder,
    output,
    cacheFolder: workFolder(folder, 'cache'),
    version: builderVersion(),
    isTrusted: true,
    fetcher: createFetcher(world, { ...options, folder }),
    ...(siteUrl === undefined ? {} : { siteUrl }),
    ...(failOn === undefined ? {} : { failOn }),
  })
  const { stoppingCount, diagnostics, knownCount } = built
  const isStopped = built.site === undefined || (stoppingCount > 0 && !options.allowErrors)
  const { error, warning } = countSeverities(diagnostics)
  if (isStopped) {
    const { suppressedCount, fixedCount, pageCount } = built
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    const report = { diagnostics, suppressedCount, knownCount, fixedCount, pageCount, read }
    printReport(world, { ...report, all: false, strict: false })
    world.err.write(built.site === undefined ? NO_SITE : refusal(stoppingCount))
    return undefined
  }
  if (error + warning + knownCount > 0 && !options.json)
    world.out.write(
      `${describeFindings({ error, warning, known: knownCount })}${error + warning === 0 ? '' : ' `octavo check` lists them.'}\n`,
    )
  return output
}

const NO_SITE = 'Nothing was deployed: there is no site without a valid docs.json.\n'

/** The last line of a refusal, with every way to publish anyway. */
function refusal(count: number): string {
  return `Nothing was deployed: ${plural(count, 'problem')} ${count === 1 ? 'stops' : 'stop'} the deployment.
Fix ${count === 1 ? 'it' : 'them'}, or choose one of these:
  octavo deploy --allow-errors     deploys the site this once
  octavo check --write-baseline    records today's problems, so that only new ones count
  "deploy": { "failOn": "none" }   in docs.json, or the same setting of the project
`
}

/** Returns whether a folder that was built before may be deployed, and reports its findings. */
function mayDeploy(
  world: CommandContext,
  options: DeployOptions,
  { files, project }: { readonly files: BuiltFiles; readonly project: Project },
): boolean {
  if (files.findings === undefined) return true
  const { findings } = files.findings
  const failOn = project.failOn ?? files.findings.failOn
  const sum = (wanted: (finding: (typeof findings)[number]) => boolean) =>
    findings.filter(wanted).reduce((total, { count }) => total + count, 0)
  const stopping = sum((finding) => stopsDeployment(finding, failOn))
  const isStopped = stopping > 0 && !options.allowErrors
  const out = isStopped || options.json ? world.err : world.out
  const countOf = (wanted: string) => sum(({ severity }) => severity === wanted)
  const counts = { error: countOf('error'), warning: countOf('warning') }
  out.write(`${describeFindings({ ...counts, known: files.findings.knownCount })}\n`)
  for (const { code, severity, count } of findings)
    out.write(`  ${severity}  ${code}: ${formatCount(count)}\n`)
  if (isStopped) world.err.write(refusal(stopping))
  return !isStopped
}

type Counts = { readonly error: number; readonly warning: number; readonly known: number }

/** Known findings are only counted: the baseline file lists them. */
function describeFindings({ error, warning, known }: Counts): string {
  const found = `The site has ${plural(error, 'error')} and ${plural(warning, 'warning')}.`
  return known === 0 ? found : `${found} ${formatCount(known)} known (${BASELINE_FILE}).`
}

type Sending = {
  readonly client: ServiceClient
  readonly files: BuiltFiles
  readonly options: DeployOptions
  readonly facts: SourceFacts
}

async function send(world: CommandContext, sending: Sending): Promise<ExitCode> {
  const { client, files, options, facts } = sending
  const target = options.preview ? 'preview' : 'production'
  const { draft, acceptPublic } = options
  const wish = { root: files.root, target, draft, ...(acceptPublic && { acceptPublic }), ...facts }
  const created = await client.create(wish, randomUUID())
  const sent = await sendMissing(client, files, created)
  const done = await client.finish(created.id)
  const isSeen =
    !options.wait || done.url === undefined || (await waitUntilLive(world, done.url, done.id))
  if (options.json) {
    const { id, number, state, url } = done
    world.out.write(`${JSON.stringify({ id, number, state, ...(url && { url }) })}\n`)
  } else {
    const mark = colorsFor(world.out, world.env).green('✓')
    world.out.write(`${mark} ${describe(done)}\n`)
    world.out.write(
      `  Sent ${formatCount(sent.count)} of ${plural(files.count, 'file')}, ${printSize(sent.bytes)}.\n`,
    )
  }
  if (isSeen) return EXIT.ok
  world.err.write(`octavo: ${done.url} does not show the deployment yet.\n`)
  return EXIT.failed
}

type Finished = Awaited<ReturnType<ServiceClient['finish']>>

function describe({ number, state, target, branch = '', url, notPublished }: Finished): string {
  if (target === 'preview')
    return notPublished === undefined
      ? `Deployment #${number} is the preview of ${printable(branch)}${url === undefined ? '.' : `: ${url}`}`
      : `Deployment #${number} is ready. The preview of ${printable(branch)} shows a newer deployment.`
  if (notPublished === 'draft')
    return `Deployment #${number} is ready. It is a draft, so it is not published.`
  if (notPublished === 'locked')
    return `Deployment #${number} is ready. The project is locked, so it is not published.`
  if (notPublished === 'older')
    return `Deployment #${number} is ready. A newer deployment is live, so it is not published.`
  return `Deployment #${number} is ${state}${url === undefined ? '.' : `: ${url}`}`
}

function printSize(bytes: number): string {
  return bytes < 100_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Uploads manifest runs first, then files, until the service reports no missing ones. */
async function sendMissing(
  client: ServiceClient,
  files: BuiltFiles,
  created: { readonly id: string; readonly missing: readonly string[] },
): Promise<{ readonly count: number; readonly bytes: number }> {
  let count = 0
  let bytes = 0
  let { missing } = created
  while (missing.length > 0) {
    const unknown = missing.find((sha256) => !files.has(sha256))
    if (unknown !== undefined)
      throw new DeployError(`The service asks for ${unknown}, which is not part of the site.`)
    const batches = batchesOf(missing, files)
    const rest = batches.values()
    const workers = Array.from({ length: SENDS_AT_ONCE }, async () => {
      for (const batch of rest) await sendBatch(client, files, batch)
    })
    await Promise.all(workers)
    for (const sha256 of missing) {
      count += files.filesWith(sha256)
      bytes += files.sizeOf(sha256)
    }
    ;({ missing } = await client.missing(created.id))
  }
  return { count, bytes }
}

function batchesOf(missing: readonly string[], files: BuiltFiles): readonly (readonly string[])[] {
  const batches: string[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const sha256 of missing) {
    size += files.sizeOf(sha256)
    if (size > FRAME_BYTES_MAX) {
      batches.push([])
      size = files.sizeOf(sha256)
    }
    batches.at(-1)?.push(sha256)
  }
  return batches
}

async function sendBatch(
  client: ServiceClient,
  files: BuiltFiles,
  batch: readonly string[],
): Promise<void> {
  const [only] = batch
  if (batch.length === 1 && only !== undefined) {
    await client.putOne(only, files.read(only)).catch((error: unknown) => {
      if (!(error instanceof DeployError)) throw error
      // The service knows only the digest, and the user needs the file's path.
      throw new DeployError(`${printable(files.pathOf(only))}: ${error.message}`)
    })
    return
  }
  const { refused } = await client.putMany(
    batch.map((sha256) => ({ sha256, bytes: files.read(sha256) })),
  )
  const [first] = refused
  if (first !== undefined) throw new DeployError(`${first.sha256}: ${first.reason}`)
}
