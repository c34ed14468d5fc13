/** Creates fetchers that load their code on the first request, since few sites need it. */
import type { FetchOptions } from './fetch-specifications.ts'
import type { SpecificationFetcher } from './specification-fetcher.ts'

type Fetcher = Required<SpecificationFetcher>

/** Fetches documents from the network, each URL once and a few at a time. */
export function networkFetcher(options: FetchOptions): Fetcher {
  return openLater(async () => (await import('./fetch-specifications.ts')).networkFetcher(options))
}

/** Returns a fetcher that uses only the copies of earlier runs. */
export function copyFetcher(cacheFolder: string): Fetcher {
  return openLater(async () => (await import('./fetch-specifications.ts')).copyFetcher(cacheFolder))
}

function openLater(open: () => Promise<Fetcher>): Fetcher {
  let opened: Promise<Fetcher> | undefined
  const fetcher = () => {
    opened ??= open()
    return opened
  }
  return {
    fetch: async (url) => (await fetcher()).fetch(url),
    fetchFont: async (source) => (await fetcher()).fetchFont(source),
  }
}
