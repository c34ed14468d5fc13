#!/usr/bin/env node
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { openBlobStore } from './blobs/open-blob-store.ts'
import { UsageError } from './commands/arguments.ts'
import { runDoctor } from './commands/doctor/run-doctor.ts'
import { HELP, runCommand } from './commands/run-command.ts'
import { writeSupportBundle } from './commands/support-bundle.ts'
import { readSettings } from './env.ts'
import { openGit } from './git/open-git.ts'
import { createService, ROLES, type Role, type Service } from './service.ts'

/** Exit codes: 0 done, 1 it failed, 2 not understood. */
async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help') || args[0] === 'help') {
    process.stdout.write(HELP)
    return args.length === 0 ? 2 : 0
  }
  const print = (line: string) => process.stdout.write(`${line}\n`)
  const read = readSettings(process.env)
  if (args[0] === 'doctor') return runDoctor(args.slice(1), { read, print, now: Date.now })
  if (args[0] === 'support-bundle') {
    const environment = process.env
    return writeSupportBundle(args.slice(1), { read, environment, print, now: Date.now })
  }
  if (read.kind === 'wrong') {
    process.stderr.write(`octavo-service: ${read.reasons.join('\n                ')}\n`)
    return 2
  }
  const { settings } = read
  if (args[0] === '--role') {
    const role = ROLES.find((known) => known === args[1])
    if (role === undefined)
      throw new UsageError(`Invalid --role: expected one of ${ROLES.join(', ')}.`)
    if (role === 'host' && (settings.sitesDomain === undefined || settings.blobs === undefined))
      throw new UsageError('--role host needs OCTAVO_URL, OCTAVO_SITES_DOMAIN and OCTAVO_BLOBS.')
    return serve(role)
  }
  const readInput = () => text(process.stdin)
  const git = args[0] === 'connection' ? await openWorkerGit('commands') : undefined
  await runCommand(args, { settings, print, now: Date.now, readInput, git })
  return 0

  /** Clones of one process alone. */
  function openWorkerGit(name = 'clones') {
    const { workFolder, allowPrivateHosts } = settings
    return openGit({ folder: join(workFolder, name), allowPrivateHosts })
  }

  async function serve(role: Role): Promise<number> {
    const writeLog = (line: string) => process.stdout.write(line)
    const blobs = settings.blobs && (await openBlobStore(settings.blobs))
    const isWorker = (role === 'worker' || role === 'all') && !settings.isReadOnly
    const git = isWorker && blobs !== undefined ? await openWorkerGit() : undefined
    const builds = git && { git }
    const service = createService({ settings, blobs, builds, role, writeLog, now: Date.now })
    const problem = await service.findStartProblem()
    if (problem !== undefined) {
      await service.stop()
      throw new Error(problem)
    }
    if (isWorker) await service.startWorker()
    return new Promise((resolve, reject) => {
      service.server.once('error', reject)
      service.adminServer.once('error', reject)
      service.adminServer.listen(settings.adminPort, settings.adminHost)
      if (role === 'worker') process.stdout.write(`${JSON.stringify({ message: 'working' })}\n`)
      else {
        service.server.listen(settings.port, settings.host, () => {
          const address = service.server.address()
          const port =
            typeof address === 'object' && address !== null ? address.port : settings.port
          const url = `http://${settings.host}:${port}`
          process.stdout.write(`${JSON.stringify({ message: 'listening', url })}\n`)
        })
        if (role !== 'host') void announceSetup(service)
      }
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.once(signal, () => void service.stop().then(() => resolve(0), reject))
      }
    })
  }
}

/** Nobody can sign in yet: whoever reads the log of the service is its first owner. */
async function announceSetup(service: Service): Promise<void> {
  const url = await service.createSetupLink().catch(() => undefined)
  if (url === undefined) return
  const message = 'no users yet: open this link within an hour to set up the dashboard'
  process.stdout.write(`${JSON.stringify({ message, url })}\n`)
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `octavo-service: ${reason}\n${isUsage ? 'Run `octavo-service --help` to see all commands.\n' : ''}`,
    )
    process.exitCode = isUsage ? 2 : 1
  },
)
