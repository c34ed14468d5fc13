/**
 * Keeps credentials for the other pages of an API, as long as the tab is open. Each API has its own,
 * so a key is never offered to another host. A browser that duplicates the tab copies them, which the
 * docs say: both tabs belong to the reader who entered them.
 */
import type { Credential } from './request-state.ts'

function keyOf(serverUrl: string): string | undefined {
  return URL.canParse(serverUrl, location.href)
    ? `octavo-credentials ${new URL(serverUrl, location.href).origin}`
    : undefined
}

export function recall(serverUrl: string): ReadonlyMap<string, Credential> | undefined {
  const key = keyOf(serverUrl)
  try {
    const text = key === undefined ? null : sessionStorage.getItem(key)
    const entries: unknown = text === null ? undefined : JSON.parse(text)
    return Array.isArray(entries) ? new Map(entries as [string, Credential][]) : undefined
  } catch {
    return undefined
  }
}

export function remember(serverUrl: string, credentials: ReadonlyMap<string, Credential>): void {
  const key = keyOf(serverUrl)
  if (key === undefined) return
  try {
    sessionStorage.setItem(key, JSON.stringify([...credentials]))
  } catch {
    // If storage is full or disabled, credentials are not kept.
  }
}
