/** Stores searches from which the reader opened a result, latest first. */
export type Storage = {
  readonly read: (name: string) => string | null
  readonly keep: (name: string, value: string) => void
}

const RECENT_MAX = 5

export function recentSearches({ read }: Storage): readonly string[] {
  try {
    const list: unknown = JSON.parse(read('searches') ?? '[]')
    if (!Array.isArray(list)) return []
    return list.filter((query) => typeof query === 'string').slice(0, RECENT_MAX)
  } catch {
    return []
  }
}

export function saveSearch(storage: Storage, query: string): void {
  const others = recentSearches(storage).filter((other) => other !== query)
  storage.keep('searches', JSON.stringify([query, ...others].slice(0, RECENT_MAX)))
}

export function clearSearches({ keep }: Storage): void {
  keep('searches', '')
}
