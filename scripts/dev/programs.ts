/**
 * Creates the two programs of `npm run dev`: the service with its dashboard, and `octavo dev` for
 * our own documentation.
 */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'
import { CHILD_ENVIRONMENT } from '../../packages/builder/testing/child-environment.ts'
import { demoSiteUrl, demoUrl } from '../../packages/service/src/app/commands/demo/demo-settings.ts'
import type { StartedPart } from '../../packages/service/src/app/commands/demo/start-database.ts'
import { Program } from './program.ts'

export type ProgramsOptions = {
  /** The root of the checkout. */
  readonly root: string
  /** The data folder. */
  readonly folder: string
  readonly port: number
  readonly docsPort: number
  /** The environment of the service. */
  readonly environment: Readonly<Record<string, string>>
  readonly print: (line: string) => void
}

export type Programs = StartedPart & {
  readonly start: () => Promise<void>
  /** Restarts the programs that use the saved paths, relative to packages/. */
  readonly restart: (saved: readonly string[]) => Promise<void>
}

/** Packages that one of the programs does not use. */
const NOT_IN_SERVICE = ['cli']
const NOT_IN_DOCS = ['service', 'dashboard']

export function createPrograms(options: ProgramsOptions): Programs {
  const { print } = options
  let signInUrl = ''
  let isIntroduced = false
  const service = createServiceProgram(options, (url) => {
    signInUrl = url
  })
  const docs = createDocsProgram(options)

  function introduce(): void {
    isIntroduced = true
    for (const line of introductionOf(options, signInUrl)) print(line)
  }

  /** Restarts a program if files were saved. Returns true if it is ready. */
  async function restart(program: Program, name: string, saved: readonly string[]) {
    const sinceMs = performance.now()
    if (saved.length === 0 || !(await program.start())) return false
    const seconds = ((performance.now() - sinceMs) / 1_000).toFixed(1)
    const more = saved.length === 1 ? '' : ` and ${saved.length - 1} more`
    print(`${name} restarted in ${seconds} s: packages/${saved[0]}${more}`)
    return true
  }

  return {
    async start() {
      const [isServing] = await Promise.all([service.start(), docs.start()])
      if (isServing) introduce()
    },
    async restart(saved) {
      const without = (packages: readonly string[]) =>
        saved.filter((path) => !packages.includes(path.split('/')[0] ?? ''))
      const isServing = await restart(service, 'The service', without(NOT_IN_SERVICE))
      if (isServing && !isIntroduced) introduce()
      // The docs server restarts after the service, because loading their code at the same time
      // would slow both down.
      await restart(docs, 'The docs server', without(NOT_IN_DOCS))
    },
    async stop() {
      await Promise.all([service.stop(), docs.stop()])
    },
    kill() {
      service.kill()
      docs.kill()
    },
  }
}

function createServiceProgram(
  { root, folder, environment, print }: ProgramsOptions,
  onSignInUrl: (url: string) => void,
): Program {
  const log = logOf(folder)
  writeFileSync(log, '')
  return new Program({
    args: [join(root, 'scripts/dev/serve.ts')],
    environment,
    cwd: folder,
    overlaps: true,
    isReady: (line) => line.includes('"message":"listening"'),
    onLine: (line) => {
      appendFileSync(log, `${line}\n`)
      if (line.includes('"level":"error"')) print(line)
    },
    onMessage: (message) => onSignInUrl(String(message)),
    onFailure: () => print('The service is not running. The next save in packages/ starts it.'),
  })
}

function createDocsProgram({ root, docsPort, print }: ProgramsOptions): Program {
  return new Program({
    args: [join(root, 'packages/cli/src/main.ts'), 'dev', 'docs', '--port', String(docsPort)],
    environment: { ...process.env, ...CHILD_ENVIRONMENT },
    cwd: root,
    overlaps: false,
    isReady: (line) => line.includes('ready in'),
    // Lines printed before the server is ready are its introduction. They are omitted, because our
    // introduction already has the URL.
    onLine: (line, isServing) => {
      if (isServing && line !== '') print(line)
    },
    onFailure: () => print('The docs are not served. The next save in packages/ serves them.'),
  })
}

const logOf = (folder: string) => join(folder, 'service.log')

function introductionOf(
  { root, folder, port, docsPort }: ProgramsOptions,
  signInUrl: string,
): readonly string[] {
  return [
    '',
    `  Sign in     ${signInUrl}`,
    '              works once, within an hour',
    `  Dashboard   ${demoUrl(port)}`,
    `  Demo site   ${demoSiteUrl(port)}`,
    `  Our docs    http://localhost:${docsPort}`,
    `  Log         ${relative(root, logOf(folder))}`,
    '',
    'A save in packages/ restarts what uses it, and a save in docs/ reloads the page.',
    'Ctrl-C stops everything and keeps the data; `npm run dev -- --fresh` starts with new data.',
  ]
}
