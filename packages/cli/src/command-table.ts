/** Defines every command and its options once, for the parser, its messages and `--help`. */
import {
  DEPLOY_KEY,
  DRY_RUN,
  HOST,
  LIBRARY,
  NETWORK,
  type OptionHelp,
  REPORT,
  SCOPE,
  SERVER,
  SERVICE,
  SERVICE_URL,
} from './shared-options.ts'

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

/** Starter sites of `octavo init`, each a folder of `templates`; the first is the default. */
export const TEMPLATES = ['api', 'library', 'help-center'] as const
export type Template = (typeof TEMPLATES)[number]

const TABLE = {
  init: {
    usage: '[dir] [options]',
    about: 'create a starter site: for an API, a library or a help center',
    options: [
      { name: 'template', value: TEMPLATES.join('|'), about: 'what the site is for (api)' },
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
    options: [
      ...SERVER,
      { name: 'mock', about: 'send the requests of playgrounds to a mock of their API' },
      ...NETWORK,
    ],
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
    more: 'The folder must be one that `octavo build` wrote (dist).',
  },
  check: {
    usage: '[dir] [options]',
    about: 'report all mistakes in pages, links, docs.json and OpenAPI documents',
    options: [
      { name: 'format', value: 'text|json|github|sarif', about: 'output format (text)' },
      ...REPORT,
      { name: 'fix', about: 'make safe fixes automatically' },
      { name: 'since', value: '<ref>', about: 'report only what changes since a Git ref caused' },
      { name: 'write-baseline', about: 'record all findings; later runs report only new ones' },
      { name: 'external', about: 'also check links to other sites' },
      {
        name: 'live',
        value: '<url>',
        about: 'check a live site on an Octavo service instead of a folder',
      },
      ...NETWORK,
    ],
  },
  ask: {
    usage: '"<question>" [dir] [options]',
    about: 'show the passages of the documentation that fit a question',
    options: [{ name: 'json', about: 'print the answer as one line of JSON' }, ...LIBRARY],
    more: 'The folder is a documentation folder, or one that `octavo build` wrote. The command fails if the documentation does not answer the question.',
  },
  eval: {
    usage: '[questions.jsonl] [dir] [options]',
    about: 'measure search and answers on your questions',
    options: [
      { name: 'json', about: 'print the result as one line of JSON' },
      { name: 'out', value: '<file>', about: 'write what readers see for each question' },
      { name: 'against', value: '<file>', about: 'compare with a file, or with a deployment' },
      { name: 'model', value: '<url>', about: 'measure the answers of the model at this URL' },
      ...LIBRARY,
      { name: 'gaps', value: '<deployment>', about: 'count gaps that a preview answers or loses' },
      ...SERVICE,
    ],
    more: 'Each line of the file is {"question": "…", "page": "/path", "alsoAcceptable": [], "spans": ["…"]}; `page` is null where the documentation has no answer. The default is octavo-questions.jsonl in the documentation folder. With --model, OCTAVO_ASSISTANT_MODEL is the name of the model and OCTAVO_ASSISTANT_KEY its API key. With --against, the command fails if an answer is lost; a deployment is a number, an id, `live` or the URL of the site. With --project, the key is read as for `octavo deploy`. With --gaps, the command waits up to two minutes for the service to test the preview with the questions.',
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
    about: 'make a site from one of another tool, or convert mint.json to docs.json',
    options: [{ name: 'output', value: '<folder>', about: 'folder of the new site' }, DRY_RUN],
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
  api: {
    usage: 'diff <old> <new> | changelog <old> [dir] [options]',
    about: 'show what changed between two versions of an API, and what breaks clients',
    subcommands: [
      { name: 'diff', value: '<old> <new>', about: 'compare two versions' },
      { name: 'changelog', value: '<old> [dir]', about: 'print an entry for a changelog page' },
    ],
    options: [
      { name: 'fail-on', value: 'breaking|additive|none', about: 'fail on such changes (none)' },
      { name: 'all', about: 'list all changes of the documentation' },
      { name: 'json', about: 'print the changes as JSON' },
      { name: 'write', about: 'write the entry to the changelog page' },
      { name: 'out', value: '<page>', about: 'the changelog page (api-changelog)' },
      ...SERVICE,
      ...NETWORK,
    ],
    more: 'A version is an OpenAPI document: a file, a folder with such files, a URL, or a Git commit and a path, such as main:openapi.yaml. With --project, it can also be a deployment: `live`, a number or an id. The key is read as for `octavo deploy`.',
  },
  mock: {
    usage: '<specification> [options]',
    about: 'answer requests like the API of an OpenAPI document, and refuse wrong ones',
    options: [
      {
        name: 'port',
        value: '<number>',
        about: 'port to listen on (the first free one from 4010)',
      },
      HOST,
      ...NETWORK,
    ],
    more: 'The specification is a file, a folder with such files, a URL, or a Git commit and a path, such as main:openapi.yaml.',
  },
  test: {
    usage: '[dir] [options]',
    about: 'run the request samples of API pages, and check what they send',
    options: [
      { name: 'env', value: '<name>=<value>', about: 'set a variable of samples; can be repeated' },
      { name: 'output', value: '<file>', about: 'write the results as octavo-proof/1' },
      { name: 'junit', value: '<file>', about: 'write the results in the format of JUnit' },
      { name: 'format', value: 'text|github', about: 'output format of failures (text)' },
      ...NETWORK,
    ],
    more: 'Samples run with curl, Node.js, Python and Java, if they are installed, and send their requests to this command. Code from x-codeSamples runs with your rights: run this command only if you trust its authors.',
  },
  export: {
    usage: '--project <id> -o <file> [options]',
    about: 'download assistant conversations',
    options: [
      ...SERVICE,
      {
        name: 'output',
        value: '<file>',
        about: 'output file; the extension sets the format: .ndjson or .csv',
      },
      { name: 'from', value: '<date>', about: 'only conversations from this date or time on' },
      { name: 'to', value: '<date>', about: 'only conversations before this date or time' },
    ],
    more: 'The key is read from the environment variable OCTAVO_API_KEY: an admin key with the scope analytics:read. Without it, the session from `octavo login` is used.',
  },
  deploy: {
    usage: '[dir] --project <id> [options]',
    about: 'build the site and publish it on an Octavo service',
    options: [
      ...SERVICE,
      { name: 'prebuilt', value: '<folder>', about: 'deploy a folder that `octavo build` wrote' },
      { name: 'draft', about: 'upload and check the site, without publishing' },
      {
        name: 'preview',
        about: 'show the deployment as the preview of its branch, without publishing',
      },
      { name: 'allow-errors', about: 'deploy even if problems would stop the deployment' },
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
      { name: 'proof', value: '<file>', about: 'send results of `octavo test -o <file>` with it' },
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
        about: 'go back to the previous live deployment, or to the given one, and lock publishing',
      },
      {
        name: 'diff',
        value: '[number]',
        about: 'show the pages that a deployment adds, changes, removes and moves',
      },
      { name: 'lock', about: 'do not publish new deployments; needs --reason' },
      { name: 'unlock', about: 'publish new deployments again' },
      { name: 'previews', about: 'previews and their URLs' },
      {
        name: 'approve-preview',
        value: '<branch>',
        about: 'allow scripts of a fork to run in its preview (pull/7)',
      },
      { name: 'delete-preview', value: '<branch>', about: 'delete the preview of a branch' },
    ],
    options: [
      ...SERVICE,
      {
        name: 'base',
        value: '<number>',
        about: 'diff: compare with this deployment (the live one)',
      },
      {
        name: 'reason',
        value: '<text>',
        about: 'lock: the reason, which everyone who deploys sees',
      },
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
      { name: 'cancel', value: '<id>', about: 'cancel a queued or running build' },
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
        about:
          'check one domain or all domains, and print the remaining steps; fails until no steps remain',
      },
      { name: 'remove', value: '<domain>', about: 'stop serving the site at a domain' },
      {
        name: 'redirect',
        value: '<domain>',
        about:
          'redirect readers to the domain with or without www., which the project must also have',
      },
      { name: 'no-redirect', value: '<domain>', about: 'serve the site at the domain again' },
    ],
    options: [...SERVICE, { name: 'json', about: 'print the response of the service as JSON' }],
    more: 'The key is read from the environment variable OCTAVO_API_KEY: an admin key with the scope project:write. Without it, the session from `octavo login` is used.',
  },
  gaps: {
    usage: '[subcommand] --project <id> [options]',
    about: 'list questions that the documentation does not answer, and close them',
    subcommands: [
      { name: 'list', about: 'the newest gaps, most frequent questions first (the default)' },
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
    more: 'The key is read from the environment variable OCTAVO_API_KEY: an admin key with the scopes analytics:read and analytics:write, or with deploy:read for compare. Without it, the session from `octavo login` is used.',
  },
  login: {
    usage: '[url] [options]',
    about: 'sign in to an Octavo service, in your browser',
    options: SERVICE_URL,
    more: 'The session is stored in octavo/credentials.json in your configuration folder ($XDG_CONFIG_HOME, or ~/.config). Only you can read this file. The session ends after 90 days.',
  },
  logout: {
    usage: '[url] [options]',
    about: 'sign out of an Octavo service',
    options: SERVICE_URL,
  },
  whoami: {
    usage: '[url] [options]',
    about: 'show who is signed in, and the projects with your role',
    options: [...SERVICE_URL, { name: 'json', about: 'print the response of the service as JSON' }],
  },
} satisfies Readonly<Record<string, CommandHelp>>

export type CommandName = keyof typeof TABLE

export const COMMANDS: Readonly<Record<CommandName, CommandHelp>> = TABLE

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

export function usageOf(command: CommandName): string {
  return `Usage: octavo ${command} ${COMMANDS[command].usage}`
}
