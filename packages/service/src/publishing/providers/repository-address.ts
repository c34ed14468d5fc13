/** Finds the API and the web pages of a repository from its clone URL. */

import type { ProviderKind } from '@octavo/contract'
import type { Connection } from './connection.ts'

export type RepositoryAddress = {
  /** The origin of the Git host's website, such as `https://github.com`. */
  readonly origin: string
  /**
   * The segments of the repository's path: the owner and the name. On GitLab, subgroups can be in
   * between.
   */
  readonly segments: readonly string[]
}

/** Matches the short SSH form `git@host:owner/name.git`, which `git clone` accepts. */
const SCP_FORM = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/

/**
 * Returns undefined if the URL does not lead to a repository on a Git host. For an SSH URL, the API
 * is assumed to be at https on the same host.
 */
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

/** Compares two names of the form `owner/name`, ignoring case, as Git hosts do. */
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
 * Returns the base URL for the files of a commit on the Git host's website. A path and `#L12` can
 * be appended to it. Returns undefined for unknown hosts.
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
