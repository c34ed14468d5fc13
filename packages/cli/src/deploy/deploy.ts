import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  BASELINE_FILE,
  type BuiltFiles,
  builderVersion,
  buildSite,
  openBuiltFiles,
} from '@octavo/builder/build'
import type { ProofBody, ProofReply } from '@octavo/contract'
import { formatCount, printable, stopsDeployment } from '@octavo/model'
import { createFetcher, type NetworkOptions } from '../commands/specification-fetcher.ts'
import { workFolder } from '../commands/work-folder.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { countSeverities } from '../report/count-severities.ts'
import { plural } from '../report/plural.ts'
import { printReport } from '../report/print-report.ts'
import { sendMissing, type Upload } from './send-missing.ts'
import type { ServiceClient } from './service-client.ts'
import { readSourceFacts, type SourceFacts } from './source-facts.ts'
import { waitUntilLive } from './wait-until-live.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type DeployOptions = NetworkOptions &
  ServiceOptions & {
    readonly folder: string
    /** A folder that is already built, to skip the build. */
    readonly prebuilt: string | undefined
    readonly draft: boolean
    /** True to publish to the preview of the branch instead of the site. */
    readonly preview: boolean
    /** True to deploy even if docs.json requires sign-in and the project is public. */
    readonly acceptPublic: boolean
    readonly branch: string | undefined
    readonly message: string | undefined
    /** True to deploy even if the site has problems that would stop a deployment. */
    readonly allowErrors: boolean
    /** A file that `octavo test` wrote, which is sent with the deployment. */
    readonly proof: string | undefined
    /** True to wait until readers get the deployment. */
    readonly wait: boolean
    readonly json: boolean
  }

/** `octavo deploy`: builds the site and uploads the files that the service does not have. */
export async function deploy(world: CommandContext, options: DeployOptions): Promise<ExitCode> {
  const facts = factsOf(world, options)
  if (options.preview && facts.branch === undefined) {
    world.err.write('octavo: The branch of the preview is unknown. Add --branch <name>.\n')
    return EXIT.usage
  }
  const proof = await proofOf(world, options)
  if (typeof proof === 'string') {
    world.err.write(`octavo: ${proof}\n`)
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
    const hasLive = project.live !== null
    return send(world, { client: await renewed(), files, hasLive, options, facts, proof })
  })
}

/** Reads the proof before the build, so that a wrong file is reported at once. */
async function proofOf({ cwd }: CommandContext, { proof: file }: DeployOptions) {
  if (file === undefined) return undefined
  const { readProof } = await import('./read-proof.ts')
  return readProof(file, resolve(cwd, file))
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
    fetcher: createFetcher(world, { ...options, folder, recordsFonts: true }),
    ...(siteUrl === undefined ? {} : { siteUrl }),
    ...(failOn === undefined ? {} : { failOn }),
  })
  const { stoppingCount, diagnostics, knownCount } = built
  const isStopped = !built.isLoaded || (stoppingCount > 0 && !options.allowErrors)
  const { error, warning } = countSeverities(diagnostics)
  if (isStopped) {
    const { suppressedCount, fixedCount, pageCount } = built
    const read = (file: string) => readFileSync(join(folder, file), 'utf8')
    const report = { diagnostics, suppressedCount, knownCount, fixedCount, pageCount, read }
    printReport(world, { ...report, all: false, strict: false })
    world.err.write(built.isLoaded ? refusal(stoppingCount) : NO_SITE)
    return undefined
  }
  if (error + warning + knownCount > 0 && !options.json)
    world.out.write(
      `${describeFindings({ error, warning, known: knownCount })}${error + warning === 0 ? '' : ' `octavo check` lists them.'}\n`,
    )
  return output
}

const NO_SITE = 'Nothing was deployed: there is no site without a valid docs.json.\n'

/**
 * Returns the last lines of the output if problems stop a deployment, with the ways to deploy
 * anyway.
 */
function refusal(count: number): string {
  return `Nothing was deployed: ${plural(count, 'problem')} ${count === 1 ? 'stops' : 'stop'} the deployment.
Fix ${count === 1 ? 'it' : 'them'}, or choose one of these:
  octavo deploy --allow-errors     deploys the site this once
  octavo check --write-baseline    records today's problems, so that only new ones count
  "deploy": { "failOn": "none" }   in docs.json, or the same setting of the project
`
}

/** Checks whether a prebuilt folder may be deployed, and reports its findings. */
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

/** Returns the counts of findings. Known findings are those in the baseline file. */
function describeFindings({ error, warning, known }: Counts): string {
  const found = `The site has ${plural(error, 'error')} and ${plural(warning, 'warning')}.`
  return known === 0 ? found : `${found} ${formatCount(known)} known (${BASELINE_FILE}).`
}

type Sending = Upload & {
  readonly options: DeployOptions
  readonly facts: SourceFacts
  readonly proof: ProofBody | undefined
}

async function send(world: CommandContext, sending: Sending): Promise<ExitCode> {
  const { client, files, hasLive, options, facts, proof } = sending
  const target = options.preview ? 'preview' : 'production'
  const { draft, acceptPublic } = options
  const request = {
    root: files.root,
    target,
    draft,
    ...(acceptPublic && { acceptPublic }),
    ...facts,
  }
  const created = await client.create(request, randomUUID())
  const sent = await sendMissing({ client, files, hasLive }, created)
  const proven = proof && (await client.sendProof(created.id, proof))
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
    if (proven !== undefined) world.out.write(`  ${describeProof(proven)}\n`)
  }
  if (isSeen) return EXIT.ok
  world.err.write(`octavo: ${done.url} does not show the deployment yet.\n`)
  return EXIT.failed
}

/** Returns what the pages of the deployment show, or why they show nothing. */
function describeProof({ date, passed, failed, notRun, pages }: ProofReply): string {
  const others = [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(notRun > 0 ? [`${formatCount(notRun)} did not run`] : []),
  ]
  const counts = [`${plural(passed, 'sample')} passed`, ...others].join(', ')
  return `Proof of ${date.slice(0, 10)}: ${counts}. It is shown on ${plural(pages, 'page')}.`
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
