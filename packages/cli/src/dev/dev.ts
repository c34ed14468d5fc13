import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  BackgroundBuild,
  builderVersion,
  DevSite,
  loadDevClient,
  watchFolder,
} from '@octavo/builder'
import type { Diagnostic } from '@octavo/model'
import { createFetcher, type NetworkOptions } from '../commands/specification-fetcher.ts'
import { workFolder } from '../commands/work-folder.ts'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { listen, portTaken, printOrigin } from '../loopback/listen.ts'
import { printRequest } from '../mock/print-request.ts'
import type { SeenRequest } from '../mock/recent-requests.ts'
import { colorsFor } from '../report/colors.ts'
import { DevMock } from './dev-mock.ts'
import { DevServer, type OpenPageProblems } from './dev-server.ts'
import { DevStatus } from './dev-status.ts'
import { browserCommand, editorCommand, type Place, start } from './open-program.ts'
import { SaveLoop } from './save-loop.ts'
import { SpecificationRefresh } from './specification-refresh.ts'

export type DevOptions = NetworkOptions & {
  readonly folder: string
  readonly host: string
  /** The port; by default, the first free port starting at 3000. */
  readonly port: number | undefined
  readonly open: boolean
  /** True to send the requests of playgrounds to a mock of their API. */
  readonly mock: boolean
}

/** The delay before the first full build, so that the first page is served before. */
const FIRST_BUILD_MS = 1_500
/** The delay before the first build once a page is served, so that the browser can paint it. */
const AFTER_FIRST_PAGE_MS = 300
/**
 * The delay before a build after an edit, so that builds do not disturb an author who is typing.
 */
const NEXT_BUILD_MS = 700
const CONFIG_FILE = /^(?:docs|mint)\.json$/

/** `octavo dev`: serves the site while its author edits it. */
export async function dev(world: CommandContext, options: DevOptions): Promise<ExitCode> {
  const started = world.clock.now()
  const folder = resolve(world.cwd, options.folder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    world.err.write(`octavo: the folder "${options.folder}" does not exist.\n`)
    return EXIT.usage
  }
  const parts = await openParts(world, folder, options)
  const { site, status, session, watch, behind, server, ending } = parts
  const port = await listen(server, options.port)
  if (port === undefined) {
    world.err.write(portTaken(options.port))
    await Promise.all([watch.close(), site.close(), behind.close()])
    return EXIT.usage
  }
  const refresh = createRefresh(parts, options)
  followSaves(world, parts, refresh)
  const url = `${printOrigin(options.host, port)}/`
  const { pageCount } = site
  const hasHosted = site.specifications.count > 0
  status.printReadyLine({
    url,
    pageCount,
    hasHosted,
    seconds: (world.clock.now() - started) / 1_000,
  })
  session.changed()
  void refresh.run()
  const stopInput = world.onInput?.((text) => {
    if (text.trim().toLowerCase() !== 'r') return
    if (site.specifications.count === 0) status.say('This site has no hosted specifications.')
    else void refresh.run()
  })
  site.warmUp()
  behind.request(FIRST_BUILD_MS)
  if (options.open) void start(browserCommand(url, process.platform))
  await world.waitForSignal?.()
  stopInput?.()
  ending.abort()
  status.end()
  watch.close()
  behind.close()
  site.close()
  await server.close()
  return EXIT.ok
}

type DevParts = Awaited<ReturnType<typeof openParts>>

/**
 * Starts everything that runs until the author stops the command: the site, its server and the
 * background build.
 */
async function openParts(world: CommandContext, folder: string, options: DevOptions) {
  const own = { folder, cacheFolder: workFolder(folder, 'cache'), version: builderVersion() }
  const client = loadDevClient(own)
  // A failure is reported when the script is requested.
  client.catch(() => undefined)
  const status = new DevStatus(world, folder)
  const saves = new SaveLoop()
  const watch = watchFolder({ root: folder, onPaths: saves.add })
  const ending = new AbortController()
  const site = await DevSite.open({
    ...own,
    onFolders: watch.follow,
    createFetcher: () =>
      createFetcher(world, { ...options, folder, signal: ending.signal, recordsFonts: true }),
  })
  const session = new Session({ site, status })
  const output = workFolder(folder, 'dev')
  const specifications = () => site.specifications.outcomes
  const behind = new BackgroundBuild({ ...own, output, specifications }, session)
  const server = new DevServer({
    site,
    behind,
    folder,
    host: options.host,
    client: () => client,
    openPlace: (place) => openPlace(world, place),
    mock: options.mock ? createMock(world, { site, status }) : undefined,
    onPage: () => session.hasShown() || behind.request(AFTER_FIRST_PAGE_MS),
  })
  return { site, status, session, saves, watch, behind, server, ending }
}

function createMock(
  world: CommandContext,
  { site, status }: { readonly site: DevSite; readonly status: DevStatus },
): DevMock {
  const colors = colorsFor(world.out, world.env)
  const onRequest = (seen: SeenRequest) => status.say(printRequest(seen, colors).trimEnd())
  return new DevMock({ specification: site.specification, now: world.clock.now, onRequest })
}

function createRefresh(
  { site, status, session, behind, server, ending }: DevParts,
  { offline }: DevOptions,
): SpecificationRefresh {
  return new SpecificationRefresh({
    site,
    status,
    offline,
    signal: ending.signal,
    onChange: async () => {
      const { problems } = await server.show(new Set())
      session.changed(await problems)
      behind.request(NEXT_BUILD_MS)
    },
  })
}

/** Shows each save in the open pages and in the terminal. */
function followSaves(
  { clock }: CommandContext,
  { site, status, session, saves, watch, behind, server }: DevParts,
  refresh: SpecificationRefresh,
): void {
  saves.start(async (paths) => {
    const began = clock.now()
    const change = site.change(paths)
    watch.follow(site.folders)
    if (change === undefined) return
    const { count, problems } = await server.show(change.files)
    status.printChange({ files: change.files, shown: count, ms: clock.now() - began })
    session.changed(await problems)
    behind.request(NEXT_BUILD_MS)
    const isConfig = [...change.files].some((file) => CONFIG_FILE.test(file))
    if (isConfig || site.specifications.hasUnfetched) void refresh.run()
  })
}

/** Collects the site's problems and reports them to the terminal. */
class Session {
  readonly #site: DevSite
  readonly #status: DevStatus
  /** Problems of the whole site, from the latest background build. */
  #all: readonly Diagnostic[] | undefined
  /**
   * Problems after the latest change, by the path of the open page. The key `undefined` means
   * the site itself.
   */
  #shown: ReadonlyMap<string | undefined, readonly Diagnostic[]> = new Map()
  #hasShown = false

  constructor({ site, status }: { readonly site: DevSite; readonly status: DevStatus }) {
    this.#site = site
    this.#status = status
  }

  /** Returns false on the first call, and true on later calls. */
  hasShown(): boolean {
    const before = this.#hasShown
    this.#hasShown = true
    return before
  }

  /** Reports the problems after a change. `ofPages` are the problems of the open pages. */
  changed(ofPages: OpenPageProblems = new Map()): void {
    const { pageCount, diagnostics } = this.#site
    const shown = new Map<string | undefined, readonly Diagnostic[]>(ofPages)
    shown.set(undefined, diagnostics)
    const now = [...shown.values()].flat()
    // The problems of pages that are no longer open may still exist, so they are not forgotten.
    const before = [...this.#shown].flatMap(([path, list]) => (shown.has(path) ? list : []))
    this.#status.forgetFixed(before, now)
    this.#status.printNewProblems(now)
    this.#status.show({ pageCount, diagnostics: this.#all ?? diagnostics })
    this.#shown = shown
  }

  readonly onProgress = (checking: { readonly done: number; readonly total: number }): void => {
    const { pageCount, diagnostics } = this.#site
    this.#status.show({ pageCount, diagnostics: this.#all ?? diagnostics, checking })
  }

  readonly onDone = (
    diagnostics: readonly Diagnostic[],
    { isCurrent }: { readonly isCurrent: boolean },
  ): void => {
    this.#all = diagnostics
    // A build that started before the latest save does not know what the save broke or removed.
    if (isCurrent) this.#status.forgetProblems([...diagnostics, ...this.#site.diagnostics])
    const files = new Set(this.#site.files)
    const isThere = ({ place }: Diagnostic) => isCurrent || files.has(place.file)
    this.#status.printNewProblems(diagnostics.filter(isThere))
    this.#status.show({ pageCount: this.#site.pageCount, diagnostics })
  }
}

async function openPlace(world: CommandContext, place: Place): Promise<string | undefined> {
  const command = editorCommand(world.env, place, process.platform)
  const hasOpened = command !== undefined && (await start(command))
  return hasOpened
    ? undefined
    : 'No editor was found. Set OCTAVO_EDITOR to the command of your editor, such as `code`.'
}
