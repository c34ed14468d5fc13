import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment, Inputs } from './inputs.ts'
import { withoutSecrets } from './run-octavo.ts'

/** What npm installs: the command line that the service brings, or the one on npm. */
export function packageOf({ service, version }: Pick<Inputs, 'service' | 'version'>): string {
  return service === undefined
    ? `octavo@${version}`
    : new URL(`/cli/octavo-${version}.tgz`, service).href
}

/**
 * Installs the command line into an empty folder and returns the command that runs it. `npx` in the
 * repository would obey its .npmrc and its node_modules, which a pull request can change.
 */
export async function installOctavo(
  inputs: Inputs,
  { folder, env }: { readonly folder: string; readonly env: Environment },
): Promise<readonly string[]> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const npm = spawn('npm', ['install', ...options, packageOf(inputs)], {
    cwd: folder,
    env: withoutSecrets(env),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [status] = await once(npm, 'close')
  if (status !== 0) throw new Error(`npm could not install ${packageOf(inputs)}.`)
  return [process.execPath, join(folder, 'node_modules/octavo/lib/main.js')]
}
