/** What answers readers of sites, put together. */

import type { Assistant } from '../../answers/assistant/assistant.ts'
import type { BlobStore } from '../../platform/blobs/blob-store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FindClientAddress } from '../../platform/http/client-address.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { createAccessTokenReaders } from '../../reading/access/access-token-readers.ts'
import { createReaders } from '../../reading/access/find-reader.ts'
import { ReaderPages } from '../../reading/access/reader-pages.ts'
import { ReaderSessions } from '../../reading/access/reader-sessions.ts'
import { SiteEvents } from '../../reading/analytics/site-events.ts'
import type { BlobCache } from '../../reading/hosting/blob-cache.ts'
import { PlaygroundProxy } from '../../reading/hosting/playground-proxy.ts'
import { createPublishListener } from '../../reading/hosting/publish-listener.ts'
import { SiteDirectory } from '../../reading/hosting/site-directory.ts'
import { SiteHost, type SiteHostDeps } from '../../reading/hosting/site-host.ts'
import { createTraffic } from '../../reading/hosting/traffic.ts'
import type { Settings } from '../settings/env.ts'

export type HostingDeps = Pick<SiteHostDeps, 'originOf' | 'onAnswer' | 'mcp' | 'recorder'> & {
  readonly settings: Settings
  readonly database: Database
  readonly blobs: BlobStore
  readonly cache: BlobCache
  readonly assistant: Assistant
  readonly findClientAddress: FindClientAddress
  readonly log: Log
  readonly now: () => number
}

export type Hosting = {
  readonly sites: SiteHost
  /** Whether a project has this slug, or had it and readers are told so. Throws if it cannot be looked up. */
  readonly hasSite: (slug: string) => Promise<boolean>
  /** Begins to hear of what is published. */
  readonly start: () => void
  readonly stopReading: () => void
  /** Writes what readers were sent. */
  readonly flush: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function openHosting(deps: HostingDeps): Hosting {
  const { settings, database, findClientAddress, recorder, log, now } = deps
  const onErrorOf = (text: string) => (error: unknown) => log.error(text, { error })
  const directory = new SiteDirectory({ database, now, onError: onErrorOf('site lookup failed') })
  const traffic = createTraffic(database, onErrorOf('traffic was not stored'))
  const listener =
    settings.directUrl === undefined
      ? undefined
      : createPublishListener({
          url: settings.directUrl,
          onPublish: (slug) => directory.reread(slug),
          onError: onErrorOf('listening for deployments failed'),
        })
  const onReaderError = onErrorOf('readers were not looked up')
  const { pepper } = settings
  const sessions = new ReaderSessions({ database, pepper, onError: onReaderError, now })
  const url = settings.url ?? 'https://localhost'
  const accessTokens = createAccessTokenReaders({
    database,
    rootOf: (digest) => deps.cache.root(digest),
    url,
    allowPrivateHosts: settings.allowPrivateHosts,
    onError: onErrorOf('an access token was not verified'),
    now,
  })
  return {
    sites: new SiteHost({
      directory,
      blobs: deps.blobs,
      cache: deps.cache,
      pepper,
      assistant: deps.assistant,
      mcp: deps.mcp,
      recorder,
      events: new SiteEvents({
        database,
        recorder,
        cache: deps.cache,
        findClientAddress,
        now,
        onError: onErrorOf('an event was not stored'),
      }),
      readers: createReaders(sessions, accessTokens, onReaderError),
      readerPages: new ReaderPages({
        database,
        sessions,
        pepper,
        url,
        secretKeys: settings.secretKeys,
        allowPrivateHosts: settings.allowPrivateHosts,
        findClientAddress,
        onError: onErrorOf('a reader was not signed in'),
        now,
      }),
      proxy: new PlaygroundProxy({
        database,
        findClientAddress,
        allowPrivateHosts: settings.allowPrivateHosts,
        now,
      }),
      originOf: deps.originOf,
      onError: onErrorOf('site request failed'),
      onAnswer: deps.onAnswer,
      onSent: traffic.count,
    }),
    hasSite: async (slug) =>
      (await directory.find(slug)) !== undefined || directory.noticeOf(slug) !== undefined,
    start: () => {
      directory.start()
      listener?.start()
      traffic.start()
      recorder.start()
    },
    stopReading: () => {
      directory.stop()
      sessions.stop()
    },
    flush: async () => {
      await Promise.all([traffic.flush(), recorder.flush()])
    },
    stop: async () => {
      await Promise.all([traffic.stop(), recorder.stop(), listener?.stop()])
    },
  }
}
