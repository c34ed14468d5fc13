#!/usr/bin/env node
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { VERSION } from '@octavo/model'
import { UsageError } from './app/commands/arguments.ts'
import { runDemo } from './app/commands/demo/run-demo.ts'
import { runDoctor } from './app/commands/doctor/run-doctor.ts'
import { HELP, OVERVIEW } from './app/commands/help.ts'
import { runCommand } from './app/commands/run-command.ts'
import { runSetup } from './app/commands/setup/run-setup.ts'
import { writeSupportBundle } from './app/commands/support-bundle.ts'
import { openWorkerGit, serve } from './app/roles/serve.ts'
import { ROLES } from './app/roles/service.ts'
import { findUnknownVariables, readSettings, type Settings } from './app/settings/env.ts'
import { explainConnectionError } from './platform/database/explain-error.ts'

/** Returns the exit code: 0 success, 1 failure, 2 invalid usage. */
async function main(given: readonly string[]): Promise<number> {
  const args = loadSettingsFiles(given)
  if (args.length === 0) {
    process.stdout.write(OVERVIEW)
    return 2
  }
  if (args.includes('--help') || args[0] === 'help') {
    process.stdout.write(HELP)
    return 0
  }
  if (args[0] === '--version') {
    process.stdout.write(`${VERSION}\n`)
    return 0
  }
  const write = (text: string) => process.stdout.write(text)
  const print = (line: string) => write(`${line}\n`)
  const environment = process.env
  // `demo` and `setup` create their own settings, so they run before any are read.
  if (args[0] === 'demo')
    process.exit(await runDemo(args.slice(1), { environment, print, complain }))
  if (args[0] === 'setup')
    return runSetup(args.slice(1), {
      environment,
      print,
      write,
      input: process.stdin,
      now: Date.now,
    })
  const read = readSettings(environment)
  if (args[0] === 'doctor')
    return runDoctor(args.slice(1), { read, environment, print, now: Date.now })
  if (args[0] === 'support-bundle')
    return writeSupportBundle(args.slice(1), { read, environment, print, now: Date.now })
  const isStart = args[0] === '--role'
  if (isStart || read.kind === 'wrong')
    for (const warning of findUnknownVariables(environment)) complain(`Warning: ${warning}`)
  if (read.kind === 'wrong') {
    for (const reason of read.reasons) complain(reason)
    if (environment.DATABASE_URL === undefined)
      complain(
        '`octavo-service setup` writes all settings to a file; `--settings <file>` reads it.',
      )
    return 2
  }
  const { settings } = read
  if (isStart) {
    const role = ROLES.find((known) => known === args[1])
    if (role === undefined)
      throw new UsageError(`Invalid --role: expected one of ${ROLES.join(', ')}.`)
    if (role === 'host' && (settings.sitesDomain === undefined || settings.blobs === undefined))
      throw new UsageError('--role host needs OCTAVO_URL, OCTAVO_SITES_DOMAIN and OCTAVO_BLOBS.')
    await serve(settings, role)
    // An interrupted start may have left handles open.
    process.exit(0)
  }
  const readInput = () => text(process.stdin)
  const git = args[0] === 'connection' ? await openWorkerGit(settings, 'commands') : undefined
  try {
    await runCommand(args, { settings, print, now: Date.now, readInput, git })
  } catch (error) {
    throw explained(error, settings)
  }
  return 0
}

/**
 * Loads the files of leading `--settings <file>` arguments and returns the remaining arguments.
 * Variables that are already set take precedence.
 */
function loadSettingsFiles(args: readonly string[]): readonly string[] {
  let rest = args
  while (rest[0] === '--settings') {
    const [, file = ''] = rest
    try {
      process.loadEnvFile(file)
    } catch {
      throw new UsageError(
        `Invalid --settings: ${file === '' ? 'expected a file' : `${file} cannot be read`}.`,
      )
    }
    rest = rest.slice(2)
  }
  return rest
}

/** Explains connection errors of commands, which connect as the owner of the tables. */
function explained(error: unknown, { ownerUrl, databaseUrl }: Settings): unknown {
  const name = ownerUrl === databaseUrl ? 'DATABASE_URL' : 'DATABASE_OWNER_URL'
  const fault = explainConnectionError(error, { name, url: ownerUrl })
  return fault === undefined ? error : new Error(`${fault.found} ${fault.hint}`, { cause: error })
}

function complain(line: string): void {
  process.stderr.write(`octavo-service: ${line}\n`)
}

// Writes to a file, terminal or pipe are synchronous, so no output is lost when the process exits
// here.
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
    complain(error instanceof Error ? error.message : String(error))
    if (isUsage) process.stderr.write('Run `octavo-service --help` to see all commands.\n')
    // Exits explicitly: handles left open by a failed start would keep the process alive, and it
    // would not be restarted.
    process.exit(isUsage ? 2 : 1)
  },
)
