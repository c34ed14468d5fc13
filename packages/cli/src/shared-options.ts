/** Options that several commands have. */
export type OptionHelp = {
  readonly name: string
  /** The placeholder of the value, such as `<folder>`; undefined for a flag. */
  readonly value?: string
  readonly about: string
}

export const NETWORK: readonly OptionHelp[] = [
  { name: 'offline', about: 'fetch nothing; use cached copies of hosted specifications' },
  {
    name: 'allow-private-host',
    value: '<host>',
    about: 'allow fetching from this host on a private network; can be repeated',
  },
]

export const HOST: OptionHelp = {
  name: 'host',
  value: '<name>',
  about: 'address to listen on (127.0.0.1: this machine only)',
}

export const SERVER: readonly OptionHelp[] = [
  { name: 'port', value: '<number>', about: 'port to listen on (the first free one from 3000)' },
  HOST,
  { name: 'open', about: 'open the browser' },
]

export const REPORT: readonly OptionHelp[] = [
  { name: 'strict', about: 'warnings fail the command too' },
  { name: 'all', about: 'list all notes and all problems of each kind' },
  { name: 'quiet', about: 'print problems only' },
  { name: 'no-cache', about: 'ignore the cache and compile every page again' },
]

export const SERVICE_URL: readonly OptionHelp[] = [
  { name: 'service', value: '<url>', about: 'URL of the service (http://127.0.0.1:8080)' },
]

export const SERVICE: readonly OptionHelp[] = [
  { name: 'project', value: '<id>', about: 'the project, prj_…' },
  ...SERVICE_URL,
]

export const DEPLOY_KEY =
  'The key is read from the environment variable OCTAVO_API_KEY: a deploy token, or an admin key with the scopes deploy:read and deploy:write. Without it, the identity token of a GitHub Actions or GitLab CI job is used, or the session of `octavo login`.'

export const SCOPE: OptionHelp = {
  name: 'scope',
  value: '<name>',
  about: 'language and version to search, such as en-v2 (the first)',
}

export const LIBRARY: readonly OptionHelp[] = [
  {
    name: 'vectors',
    value: 'off|local',
    about: 'also use semantic search, with a model on this machine (off); English pages only',
  },
  SCOPE,
  ...NETWORK,
]

export const DRY_RUN: OptionHelp = {
  name: 'dry-run',
  about: 'print what would change, without changing anything',
}
