/** Finds a repository's API and web pages from its clone URL. */

import type { ProviderKind } from '@octavo/contract'
import type { Connection } from './connection.ts'

export type RepositoryAddress = {
  /** The origin of the host's website, such as `https://github.com`. */
  readonly origin: string
  /** The repository's path: `owner/name`, at GitLab with more groups. */
  readonly segments: readonly string[]
}

/** `git@host:owner/name.git`, as `git clone` accepts it. */
const SCP_FORM = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/

/** Undefined if the URL names no repository on a host. For an SSH URL, the API is at https. */
export function readRepositoryAddress(url: string): RepositoryAddress | undefined {
  const parsed = URL.parse(url)
  const web = parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined
  const ssh = parsed?.protocol === 'ssh:' ? parsed : undefined
  const scp = web === undefined && ssh === undefined ? SCP_FORM.exec(url) : null
  const origin = web ?? `https://${ssh?.hostname ?? scp?.[1] ?? ''}`
  const path = scp?.[2] ?? parsed?.pathname ?? ''
  const segments = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map(decode)
  const isRight =
    segments.length >= 2 && segments.every((segment) => /^(?!\.{1,2}$)[\w.~-]+$/.test(segment))
  return isRight && URL.canParse(origin) ? { origin, segments } : undefined
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** Compares two `owner/name`: hosts ignore case. */
export function sameRepository(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

const FILES_PATH: Readonly<Record<ProviderKind, string | undefined>> = {
  github: 'blob',
  gitlab: '-/blob',
  gitea: 'src/commit',
  git: undefined,
}

/**
 * Returns the base URL of a commit's files, to which a path and `#L12` can be appended. Undefined
 * for other hosts.
 */
export function filesUrl(
  { provider, url, folder }: Pick<Connection, 'provider' | 'url' | 'folder'>,
  commit: string,
): string | undefined {
  const address = readRepositoryAddress(url)
  const path = FILES_PATH[provider]
  if (address === undefined || path === undefined) return undefined
  const parts = [...address.segments, ...path.split('/'), commit, ...folder.split('/')]
  const encoded = parts.filter((part) => part !== '').map(encodeURIComponent)
  return `${address.origin}/${encoded.join('/')}/`
}
