/** Role `host`: assembles everything that serves readers of sites. */
import { openAssistant } from '../../answers/assistant/open-assistant.ts'
import { createAccessTokenReaders } from '../../reading/access/access-token-readers.ts'
import { createReaders } from '../../reading/access/find-reader.ts'
import { readerPages } from '../../reading/access/reader-pages.ts'
import { ReaderSessions } from '../../reading/access/reader-sessions.ts'
import { createAgentReports } from '../../reading/analytics/agent-reports.ts'
import { EventRecorder } from '../../reading/analytics/event-recorder.ts'
import { SiteEvents } from '../../reading/analytics/site-events.ts'
import { PlaygroundProxy } from '../../reading/hosting/playground-proxy.ts'
import { createPublishListener } from '../../reading/hosting/publish-listener.ts'
import { readBrand } from '../../reading/hosting/site-brand.ts'
import { SiteDirectory } from '../../reading/hosting/site-directory.ts'
import { SiteHost, type SiteHostDeps } from '../../reading/hosting/site-host.ts'
import { SiteProofs } from '../../reading/hosting/site-proofs.ts'
import { createTraffic } from '../../reading/hosting/traffic.ts'
import { SiteMcp } from '../../reading/mcp/site-mcp.ts'
import type { Parts } from './parts.ts'
import type { ServiceBase } from './service-base.ts'

export type Host = {
  readonly sites: SiteHost
  /**
   * Returns true if a project has this slug, or had it before and redirects readers. Throws if the
   * lookup fails.
   */
  readonly hasSite: (slug: string) => Promise<boolean>
  readonly countAnswers: () => number
  /** Starts listening for new deployments. */
  readonly start: () => void
  readonly stopReading: () => void
  /** Ends the answers in progress, and waits until they are published. */
  readonly endAnswers: () => Promise<void>
  /** Writes buffered traffic and event counts. */
  readonly flush: () => Promise<void>
  readonly stop: () => Promise<void>
}

type OnAnswer = SiteHostDeps['onAnswer']

/** Opens the host; undefined without a blob store. */
export function openHost(ground: ServiceBase, parts: Parts, onAnswer: OnAnswer): Host | undefined {
  const { database, findClientAddress, now } = ground
  const { blobs, cache, answers } = parts
  if (blobs === undefined || cache === undefined || answers === undefined) return undefined
  const onErrorOf = createOnErrorOf(ground)
  const directory = new SiteDirectory({ database, now, onError: onErrorOf('site lookup failed') })
  const traffic = createTraffic(database, onErrorOf('traffic was not stored'))
  const listener = openListener(ground, directory)
  const recorder = new EventRecorder({
    database,
    findClientAddress,
    now,
    onError: onErrorOf('what readers did was not stored'),
  })
  const assistant = openAssistant({ ...ground, parts: answers })
  const readers = openReaders(ground, cache)
  return {
    sites: openSites(ground, {
      directory,
      recorder,
      assistant,
      answers,
      blobs,
      cache,
      readers,
      onAnswer,
      onSent: traffic.count,
    }),
    hasSite: async (slug) =>
      (await directory.find(slug)) !== undefined || directory.noticeOf(slug) !== undefined,
    countAnswers: () => assistant.running(),
    start: () => {
      directory.start()
      listener?.start()
      traffic.start()
      recorder.start()
    },
    stopReading: () => {
      directory.stop()
      readers.stop()
    },
    endAnswers: () => assistant.stop(),
    flush: async () => {
      await Promise.all([traffic.flush(), recorder.flush()])
    },
    stop: async () => {
      await Promise.all([traffic.stop(), recorder.stop(), listener?.stop()])
    },
  }
}

type SiteParts = Pick<
  SiteHostDeps,
  'directory' | 'recorder' | 'assistant' | 'blobs' | 'cache' | 'onAnswer' | 'onSent'
> & {
  readonly answers: NonNullable<Parts['answers']>
  readonly readers: ReturnType<typeof openReaders>
}

function openSites(ground: ServiceBase, { answers, readers, ...parts }: SiteParts): SiteHost {
  const { settings, database, originOf, findClientAddress, now } = ground
  const { recorder, cache } = parts
  const onErrorOf = createOnErrorOf(ground)
  return new SiteHost({
    ...parts,
    pepper: settings.pepper,
    mcp: new SiteMcp({
      ...ground,
      parts: answers,
      cache,
      recorder,
      reports: createAgentReports(database, now),
    }),
    events: new SiteEvents({
      database,
      recorder,
      cache,
      findClientAddress,
      now,
      onError: onErrorOf('an event was not stored'),
    }),
    proofs: new SiteProofs({
      database,
      cache,
      onError: onErrorOf('the proof of a site was not read'),
    }),
    readers: readers.readers,
    readerPages: readers.pages,
    proxy: new PlaygroundProxy({
      database,
      findClientAddress,
      allowPrivateHosts: settings.allowPrivateHosts,
      now,
    }),
    originOf,
    onError: onErrorOf('site request failed'),
  })
}

/**
 * Listens for new deployments. Without a listener, the directory is only reread from time to time.
 */
function openListener(ground: ServiceBase, directory: SiteHostDeps['directory']) {
  const { directUrl } = ground.settings
  if (directUrl === undefined) return undefined
  return createPublishListener({
    url: directUrl,
    onPublish: (slug) => directory.reread(slug),
    onError: createOnErrorOf(ground)('listening for deployments failed'),
  })
}

/** Opens readers' sessions, their access tokens, and the sign-in pages. */
function openReaders(ground: ServiceBase, cache: NonNullable<Parts['cache']>) {
  const { settings, database, findClientAddress, now } = ground
  const { pepper, secretKeys, allowPrivateHosts } = settings
  const onErrorOf = createOnErrorOf(ground)
  const onError = onErrorOf('readers were not looked up')
  const sessions = new ReaderSessions({ database, pepper, onError, now })
  const url = settings.url ?? 'https://localhost'
  const accessTokens = createAccessTokenReaders({
    database,
    rootOf: (digest) => cache.root(digest),
    url,
    allowPrivateHosts,
    onError: onErrorOf('an access token was not verified'),
    now,
  })
  return {
    readers: createReaders(sessions, accessTokens, onError),
    pages: readerPages({
      database,
      sessions,
      pepper,
      url,
      secretKeys,
      allowPrivateHosts,
      findClientAddress,
      brandOf: (root) => readBrand(cache, root),
      onError: onErrorOf('a reader was not signed in'),
      now,
    }),
    stop: () => sessions.stop(),
  }
}

const createOnErrorOf =
  ({ log }: ServiceBase) =>
  (text: string) =>
  (error: unknown) =>
    log.error(text, { error })
