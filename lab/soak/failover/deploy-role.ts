/**
 * Deploys version after version with the real command line. After each attempt, every page is read
 * from every host: all must belong to one version.
 */
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HostedProject, Hosting } from '../../../packages/service/testing/start-hosting.ts'
import { visit } from '../../../packages/service/testing/test-deployment.ts'
import { markOf, type SiteVersion, sha256Of } from '../../parts/deploy/site-versions.ts'
import { createRoleLog } from './role-log.ts'
import type { RunningRole, Stop } from './write-roles.ts'

/** The number of recent versions whose folders are kept, because readers may still see them. */
const KEPT_FOLDERS = 4
const SETTLE_MS_MAX = 30_000
const SETTLE_PAUSE_MS = 200
const DEPLOY_PAUSE_MS = 500

export type DeployOptions = {
  readonly hosting: Hosting
  readonly project: HostedProject
  /** The ports of the hosts. */
  readonly ports: readonly number[]
  /** The versions that may be live. This role adds new ones. */
  readonly versions: Map<number, SiteVersion>
  readonly makeVersion: (number: number) => SiteVersion
}

export type DeployRole = RunningRole & {
  /** The ids of deployments that were reported as live. */
  readonly finished: readonly string[]
  readonly walks: () => number
}

export async function deployOnce(options: DeployOptions, number: number) {
  const { hosting, project, versions, makeVersion } = options
  const version = makeVersion(number)
  versions.set(number, version)
  const old = versions.get(number - KEPT_FOLDERS)
  if (old !== undefined) rmSync(old.folder, { recursive: true, force: true })
  return hosting.octavo(project, 'deploy', '--prebuilt', version.folder, '--json')
}

export function deployVersions(stop: Stop, options: DeployOptions): DeployRole {
  const log = createRoleLog('deployments')
  const wrong: string[] = []
  const finished: string[] = []
  let walks = 0

  async function deploy(): Promise<void> {
    let live = 0
    for (let number = 1; !stop.isOver; number += 1) {
      const begun = performance.now()
      const { code, out, err } = await deployOnce(options, number)
      const ms = performance.now() - begun
      if (code === 0) {
        finished.push(JSON.parse(out).id)
        live = number
        log.succeed(ms)
      } else log.fail(err.split('\n')[0] ?? '', ms)
      const isLive = (mark: number | undefined) => mark !== undefined && mark >= live
      const problem = await findMixedVersions(options, isLive)
      walks += 1
      if (problem !== undefined) wrong.push(`after deployment ${number}: ${problem}`)
      await sleep(DEPLOY_PAUSE_MS * stop.pace)
    }
  }
  return { log, wrong, finished, walks: () => walks, done: deploy() }
}

/**
 * Returns a problem if the hosts show pages of different versions. Hosts are notified one after the
 * other, so a difference only counts if it remains.
 */
async function findMixedVersions(
  { project, ports, versions }: DeployOptions,
  isLive: (mark: number | undefined) => boolean,
): Promise<string | undefined> {
  const end = performance.now() + SETTLE_MS_MAX
  for (;;) {
    const marks = new Set<number | undefined>()
    for (const port of ports) {
      const first = await pageMark({ port, project, versions }, 'index.html')
      marks.add(first)
      const pages = [...(versions.get(first ?? -1)?.files.keys() ?? [])].filter(isPage)
      for (const page of pages) marks.add(await pageMark({ port, project, versions }, page))
    }
    const [mark] = marks
    if (marks.size === 1 && isLive(mark)) return undefined
    if (performance.now() > end) return `the pages are of ${[...marks].join(', ')}`
    await sleep(SETTLE_PAUSE_MS)
  }
}

/**
 * Checks whether a path is a page of the site. `guides/index.html` is not: it redirects to the
 * first page.
 */
const isPage = (path: string) => /^guides\/page-\d+\/index\.html$/.test(path)

type Place = Pick<DeployOptions, 'project' | 'versions'> & { readonly port: number }

/**
 * Returns the version of a page; undefined if the page does not match any version byte for byte.
 */
async function pageMark(
  { port, project, versions }: Place,
  path: string,
): Promise<number | undefined> {
  const address = `/${path.replace(/(?:\/?index)?\.html$/, '')}`
  const reply = await visit(port, project.host, address).catch(() => undefined)
  const mark = reply && markOf(reply.bytes.toString('utf8'))
  const digest = mark === undefined ? undefined : versions.get(mark)?.files.get(path)
  return reply && digest === sha256Of(reply.bytes) ? mark : undefined
}
