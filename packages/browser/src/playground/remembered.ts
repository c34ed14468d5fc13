/** Stores credentials in this browser for one host, if the reader asked for it. */
import type { Credential } from './request-state.ts'

function keyOf(serverUrl: string): string | undefined {
  try {
    return `octavo-credentials ${new URL(serverUrl, location.href).origin}`
  } catch {
    return undefined
  }
}

export function recall(serverUrl: string): ReadonlyMap<string, Credential> | undefined {
  const key = keyOf(serverUrl)
  try {
    const text = key === undefined ? null : localStorage.getItem(key)
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
    localStorage.setItem(key, JSON.stringify([...credentials]))
  } catch {
    // Storage is full or disabled: credentials are not stored.
  }
}

export function forget(serverUrl: string): void {
  const key = keyOf(serverUrl)
  try {
    if (key !== undefined) localStorage.removeItem(key)
  } catch {
    // Storage is disabled, so no credentials are stored.
  }
}
