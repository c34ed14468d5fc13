/**
 * Derives web URLs from a folder's Git remote, for hosts whose edit URLs are known. The remote is
 * only read for sites that have such links.
 */
import { runGit } from './run-git.ts'

export type Repository = {
  /** Changes if any of the URLs changes. */
  readonly key: string
  /** Returns the edit URL of a file. `path` is relative to the documentation root. */
  readonly editUrl: (path: string) => string
  /** Returns the URL for reporting a problem on a page. */
  readonly issueUrl: (page: string) => string
}

/** Matches a remote. Credentials, and characters that could end a URL, are not captured. */
const REMOTE =
  /^(?:(?:https?|ssh|git):\/\/(?:[^/@\s]*@)?|[\w.-]+@)(?<host>[a-z\d.-]+)(?::\d+(?=\/))?[:/](?<name>[\w.~-]+(?:\/[\w.~-]+)+)$/i

export function gitRepository(root: string): () => Repository | undefined {
  let known: { readonly repository: Repository | undefined } | undefined
  return () => {
    known ??= { repository: readRepository(root) }
    return known.repository
  }
}

function readRepository(root: string): Repository | undefined {
  const remote = runGit(root, ['remote', 'get-url', 'origin'])?.trim() ?? ''
  const prefix = runGit(root, ['rev-parse', '--show-prefix'])?.trim() ?? ''
  const branch =
    runGit(root, ['rev-parse', '--abbrev-ref', 'origin/HEAD'])
      ?.trim()
      .replace(/^origin\//, '') || runGit(root, ['branch', '--show-current'])?.trim()
  return describeRepository({ remote, prefix, branch: branch || 'main' })
}

export function describeRepository(found: {
  readonly remote: string
  /** The path of the documentation folder inside the repository, with a trailing slash. */
  readonly prefix: string
  readonly branch: string
}): Repository | undefined {
  const { host = '', name = '' } =
    REMOTE.exec(found.remote.replace(/(?:\.git)?\/?$/, ''))?.groups ?? {}
  const base = `https://${host.toLowerCase()}/${name}`
  const at = (path: string) => encodeURI(`${found.branch}/${found.prefix}${path}`)
  const title = encodeURIComponent('Problem in the documentation')
  const body = (page: string) => encodeURIComponent(`Page: ${page}`)
  const key = `${base} ${found.branch} ${found.prefix}`
  const isOf = (service: string) => host.toLowerCase().split('.').includes(service)
  if (isOf('github')) {
    return {
      key,
      editUrl: (path) => `${base}/edit/${at(path)}`,
      issueUrl: (page) => `${base}/issues/new?title=${title}&body=${body(page)}`,
    }
  }
  if (isOf('gitlab')) {
    return {
      key,
      editUrl: (path) => `${base}/-/edit/${at(path)}`,
      issueUrl: (page) =>
        `${base}/-/issues/new?issue[title]=${title}&issue[description]=${body(page)}`,
    }
  }
  if (!isOf('bitbucket')) return undefined
  return {
    key,
    editUrl: (path) => `${base}/src/${at(path)}?mode=edit`,
    issueUrl: (page) => `${base}/issues/new?title=${title}&content=${body(page)}`,
  }
}
