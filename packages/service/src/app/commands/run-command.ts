import { parseArgs } from 'node:util'
import { openDatabase } from '../../platform/database/database.ts'
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
  'setup',
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
