/** Defines every command and its options once, for the parser, its messages and `--help`. */
export type CommandName =
  | 'init'
  | 'dev'
  | 'build'
  | 'preview'
  | 'check'
  | 'ask'
  | 'eval'
  | 'mcp'
  | 'agents-md'
  | 'nav'
  | 'rename'
  | 'migrate'
  | 'scrape'
  | 'export'
  | 'deploy'
  | 'deployments'
  | 'builds'
  | 'domain'
  | 'gaps'
  | 'login'
  | 'logout'
  | 'whoami'

type OptionHelp = {
  readonly name: string
  /** The placeholder of the value, such as `<folder>`; undefined for a flag. */
  readonly value?: string
  readonly about: string
}

export type CommandHelp = {
  /** The arguments after the command's name. */
  readonly usage: string
  readonly about: string
  /** Possible first arguments of a command with subcommands. */
  readonly subcommands?: readonly OptionHelp[]
  readonly options: readonly OptionHelp[]
  /** Text below the options. */
  readonly more?: string
}

const NETWORK: readonly OptionHelp[] = [
  { name: 'offline', about: 'fetch nothing; use cached copies of hosted specifications' },
  {
    name: 'allow-private-host',
    value: '<host>',
    about: 'allow fetching from this host on a private network; can be repeated',
  },
]

const SERVER: readonly OptionHelp[] = [
  { name: 'port', value: '<number>', about: 'port to listen on (the first free one from 3000)' },
  { name: 'host', value: '<name>', about: 'address to listen on (127.0.0.1: this machine only)' },
  { name: 'open', about: 'open the browser' },
]

const REPORT: readonly OptionHelp[] = [
  { name: 'strict', about: 'warnings fail the command too' },
  { name: 'all', about: 'list all notes and all problems of each kind' },
  { name: 'quiet', about: 'print problems only' },
  { name: 'no-cache', about: 'ignore the cache and compile every page again' },
]

const SERVICE: readonly OptionHelp[] = [
  { name: 'project', value: '<id>', about: 'the project, prj_…' },
  { name: 'service', value: '<url>', about: 'URL of the service (http://127.0.0.1:8080)' },
]

const SERVICE_URL: readonly OptionHelp[] = [
  { name: 'service', value: '<url>', about: 'URL of the service (http://127.0.0.1:8080)' },
]

const DEPLOY_KEY =
  'The key is read from the environment variable OCTAVO_API_KEY: a deploy token, or an admin key with the scopes deploy:read and deploy:write. Without it, the identity token of a job of GitHub Actions or GitLab CI is used, or the session of `octavo login`.'

const SCOPE: OptionHelp = {
  name: 'scope',
  value: '<name>',
  about: 'language and version to search, such as en-v2 (the first)',
}

const LIBRARY: readonly OptionHelp[] = [
  {
    name: 'vectors',
    value: 'off|local',
    about: 'also use semantic search, with a model on this machine (off); English pages only',
  },
  SCOPE,
  ...NETWORK,
]

const DRY_RUN: OptionHelp = {
  name: 'dry-run',
  about: 'print what would change, without changing anything',
}

export const COMMANDS: Readonly<Record<CommandName, CommandHelp>> = {
  init: {
    usage: '[dir] [options]',
    about: 'create a site with a few pages and an API reference',
    options: [
      { name: 'name', value: '<text>', about: 'the name of the site' },
      { name: 'yes', about: 'use defaults instead of asking' },
      {
        name: 'workflow',
        value: 'github',
        about: 'also write a workflow file that checks the site and publishes it to GitHub Pages',
      },
    ],
  },
  dev: {
    usage: '[dir] [options]',
    about: 'start a local server that updates as you write',
    options: [...SERVER, ...NETWORK],
  },
  build: {
    usage: '[dir] [options]',
    about: 'build the site as static files for any web server',
    options: [
      { name: 'output', value: '<folder>', about: 'output folder (dist)' },
      {
        name: 'url',
        value: '<url>',
        about:
          'URL of the site, such as https://example.com/docs/, for the sitemap, canonical links, social cards and the base path',
      },
      { name: 'json', about: 'print the result as JSON' },
      ...REPORT,
      { name: 'workers', value: '<number>', about: 'compile processes (all cores but one)' },
      ...NETWORK,
    ],
  },
  preview: {
    usage: '[folder] [options]',
    about: 'serve a built site locally, with redirects, headers and the 404 page',
    options: SERVER,
    more: 'The folder is the one that `octavo build` wrote (dist).',
  },
  check: {
    usage: '[dir] [options]',
    about: 'report all mistakes in pages, links, docs.json and OpenAPI documents',
    options: [
      { name: 'format', value: 'text|json|github|sarif', about: 'output format (text)' },
      ...REPORT,
      { name: 'fix', about: 'make safe fixes automatically' },
      { name: 'write-baseline', about: 'record all findings; later runs report only new ones' },
      { name: 'external', about: 'also check links to other sites' },
      {
        name: 'live',
        value: '<url>',
        about: 'check a site on an Octavo service as readers get it, instead of a folder',
      },
      ...NETWORK,
    ],
  },
  ask: {
    usage: '"<question>" [dir] [options]',
    about: 'answer a question with a quotation from the documentation',
    options: [{ name: 'json', about: 'print the answer as one line of JSON' }, ...LIBRARY],
    more: 'The folder is a documentation folder, or one that `octavo build` wrote. The command fails if the documentation does not answer the question.',
  },
  eval: {
    usage: '<questions.jsonl> [dir] [options]',
    about: 'measure search and answers on your questions',
    options: [
      { name: 'json', about: 'print the result as one line of JSON' },
      ...LIBRARY,
      {
        name: 'gaps',
        value: '<deployment>',
        about: 'instead of a file: count the gaps that a preview answers, and the answers it loses',
      },
      ...SERVICE,
    ],
    more: 'Each line of the file is {"question": "…", "page": "/path", "alsoAcceptable": []}; `page` is null where the documentation has no answer. With --gaps, the key is read as for `octavo deploy`, and the command waits up to two minutes until the service has asked the preview.',
  },
  mcp: {
    usage: '[dir] [options]',
    about: 'serve the documentation to a coding agent, over MCP on standard input and output',
    options: NETWORK,
    more: 'The folder is a documentation folder, or one that `octavo build` wrote. Restart the command to serve later edits.',
  },
  'agents-md': {
    usage: '[dir] [options]',
    about:
      'print an index of the pages, at most 8 KB, for the AGENTS.md of a project that uses them',
    options: [
      { name: 'url', value: '<url>', about: 'URL of the site, such as https://example.com/docs/' },
      SCOPE,
      ...NETWORK,
    ],
  },
  nav: {
    usage: '[dir] [options]',
    about: 'print the navigation as readers see it',
    options: [{ name: 'json', about: 'print the tree as JSON' }, ...NETWORK],
  },
  rename: {
    usage: '<from> <to> [options]',
    about: 'move a page and update all references to it',
    options: [DRY_RUN],
  },
  migrate: {
    usage: '[dir] [options]',
    about: 'convert mint.json to docs.json, or fix mixed levels in docs.json',
    options: [DRY_RUN],
  },
  scrape: {
    usage: 'openapi-file <specification> [options]',
    about: 'write an MDX page for each operation of an OpenAPI document',
    options: [
      { name: 'output', value: '<folder>', about: 'output folder (the working directory)' },
      { name: 'overwrite', about: 'replace existing pages' },
      ...NETWORK,
    ],
  },
  export: {
    usage: '--project <id> -o <file> [options]',
    about: 'download assistant conversations',
    options: [
      { name: 'project', value: '<id>', about: 'the project, prj_…' },
      {
        name: 'output',
        value: '<file>',
        about: 'output file; the extension sets the format: .ndjson or .csv',
      },
      { name: 'from', value: '<date>', about: 'only conversations from this date or time on' },
      { name: 'to', value: '<date>', about: 'only conversations before this date or time' },
      { name: 'url', value: '<url>', about: 'URL of the service (http://127.0.0.1:8080)' },
    ],
    more: 'The key is read from the environment variable OCTAVO_API_KEY.',
  },
  deploy: {
    usage: '[dir] --project <id> [options]',
    about: 'build the site and publish it on an Octavo service',
    options: [
      ...SERVICE,
      { name: 'prebuilt', value: '<folder>', about: 'deploy a folder that `octavo build` wrote' },
      { name: 'draft', about: 'upload and check, without publishing' },
      { name: 'preview', about: 'show it at the preview of its branch, without publishing' },
      { name: 'allow-errors', about: 'deploy although problems would stop it' },
      {
        name: 'public',
        about: 'deploy even if docs.json requires sign-in and the project is public',
      },
      {
        name: 'branch',
        value: '<name>',
        about: 'the branch (from the variables of GitHub or GitLab, or from Git)',
      },
      {
        name: 'message',
        value: '<text>',
        about: 'a note for the list of deployments (the subject of the commit)',
      },
      { name: 'wait', about: 'wait until readers get the deployment' },
      { name: 'json', about: 'print the id, the state and the URL as JSON' },
      ...NETWORK,
    ],
    more: DEPLOY_KEY,
  },
  deployments: {
    usage: '[subcommand] --project <id> [options]',
    about: 'list deployments, publish one, roll back, compare, lock, list previews',
    subcommands: [
      { name: 'list', about: 'the newest deployments (the default)' },
      { name: 'publish', value: '<number>', about: 'make a finished deployment live' },
      {
        name: 'rollback',
        value: '[number]',
        about: 'go back to the deployment that was live before, or to this one, and lock',
      },
      {
        name: 'diff',
        value: '[number]',
        about: 'pages that a deployment adds, changes, removes and moves',
      },
      { name: 'lock', about: 'do not publish new deployments; needs --reason' },
      { name: 'unlock', about: 'publish new deployments again' },
      { name: 'previews', about: 'previews and their URLs' },
      {
        name: 'approve-preview',
        value: '<branch>',
        about: 'allow scripts of a fork to run in its preview (pull/7)',
      },
      { name: 'delete-preview', value: '<branch>', about: 'end the preview of a branch' },
    ],
    options: [
      ...SERVICE,
      { name: 'base', value: '<number>', about: 'diff: compare with this one (the live one)' },
      { name: 'reason', value: '<text>', about: 'lock: the reason, which others see' },
      {
        name: 'accept-looser',
        about: 'rollback: accept that more readers can then read some pages',
      },
      { name: 'wait', about: 'publish, rollback: wait until readers get the deployment' },
      { name: 'json', about: 'print the response of the service as one line of JSON' },
    ],
    more: DEPLOY_KEY,
  },
  builds: {
    usage: '[subcommand] --project <id> [options]',
    about: 'list builds from Git, show problems and logs, cancel, retry',
    subcommands: [
      { name: 'list', about: 'the newest builds (the default)' },
      { name: 'show', value: '<id>', about: 'the result of a build, and its problems' },
      { name: 'log', value: '<id>', about: 'the log of a build' },
      { name: 'cancel', value: '<id>', about: 'stop a queued or running build' },
      { name: 'retry', value: '<id>', about: 'build the same commit again' },
    ],
    options: [
      ...SERVICE,
      { name: 'branch', value: '<name>', about: 'list: only builds of this branch' },
      {
        name: 'follow',
        about: 'log: wait for new lines until the build ends; fails if the build failed',
      },
      { name: 'all', about: 'show: list all notes and all problems of each kind' },
      { name: 'json', about: 'print the response of the service as JSON' },
    ],
    more: DEPLOY_KEY,
  },
  domain: {
    usage: '[subcommand] --project <id> [options]',
    about: 'serve the site at a custom domain: add, check, remove, list',
    subcommands: [
      { name: 'list', about: 'the domains of the project (the default)' },
      { name: 'add', value: '<domain>', about: 'claim a domain, and print the DNS records to add' },
      {
        name: 'check',
        value: '[domain]',
        about: 'check one domain or all, and print the remaining steps; fails until none remain',
      },
      { name: 'remove', value: '<domain>', about: 'stop serving the site at a domain' },
      {
        name: 'redirect',
        value: '<domain>',
        about: 'redirect readers to the domain with www., or without it, which the project has too',
      },
      { name: 'no-redirect', value: '<domain>', about: 'serve the site there again' },
    ],
    options: [...SERVICE, { name: 'json', about: 'print the response of the service as JSON' }],
    more: 'The key is read from the environment variable OCTAVO_API_KEY: an admin key with the scope project:write. Without it, the session of `octavo login` is used.',
  },
  gaps: {
    usage: '[subcommand] --project <id> [options]',
    about: 'list questions that the documentation does not answer, and close them',
    subcommands: [
      { name: 'list', about: 'the newest gaps, the most asked first (the default)' },
      {
        name: 'link',
        value: '<id> <page>',
        about: 'set the page that answers or will answer a gap',
      },
      { name: 'verify', value: '<id>', about: 'confirm that the live site answers a gap' },
      { name: 'dismiss', value: '<id>', about: 'close a gap without an answer' },
      { name: 'reopen', value: '<id>', about: 'open a gap again' },
      {
        name: 'compare',
        value: '<deployment>',
        about: 'show which gaps a preview answers, and which answers it loses',
      },
    ],
    options: [
      ...SERVICE,
      {
        name: 'state',
        value: '<state>',
        about: 'list: only open, linked, likely, verified or dismissed gaps',
      },
      { name: 'json', about: 'print the response of the service as JSON' },
    ],
    more: 'The key is read from the environment variable OCTAVO_API_KEY: an admin key with the scopes analytics:read and analytics:write; for compare, deploy:read. Without it, the session of `octavo login` is used.',
  },
  login: {
    usage: '[options]',
    about: 'sign in to an Octavo service, in your browser',
    options: SERVICE_URL,
    more: 'The session is kept in octavo/credentials.json of your configuration folder ($XDG_CONFIG_HOME, or ~/.config), which only you can read. It ends after 90 days.',
  },
  logout: {
    usage: '[options]',
    about: 'sign out of an Octavo service',
    options: SERVICE_URL,
  },
  whoami: {
    usage: '[options]',
    about: 'show who is signed in, and the projects with your role',
    options: [...SERVICE_URL, { name: 'json', about: 'print the response of the service as JSON' }],
  },
}

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

export function usageOf(command: CommandName): string {
  return `Usage: octavo ${command} ${COMMANDS[command].usage}`
}
