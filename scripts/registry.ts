/**
 * Starts a real npm registry on loopback, to install packages before they are published. Verdaccio
 * is installed once into the user's cache folder. It is not a dependency, because only releases
 * need it.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../packages/service/testing/start-postgres.ts'

const VERDACCIO = '6.10.4'
const START_MS_MAX = 60_000

export type Registry = { readonly url: string; readonly stop: () => Promise<void> }

/**
 * Starts a registry that serves `ownNames` only locally and proxies all other packages from the
 * configured npm registry.
 */
export async function startRegistry(ownNames: readonly string[]): Promise<Registry> {
  const program = installVerdaccio()
  const folder = mkdtempSync(join(tmpdir(), 'octavo-registry-'))
  const url = `http://127.0.0.1:${await freePort()}/`
  writeFileSync(join(folder, 'config.yaml'), configuration(ownNames))
  const server = spawn(
    process.execPath,
    [program, '--config', join(folder, 'config.yaml'), '--listen', url],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const stop = async () => {
    if (server.exitCode === null && server.kill()) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(url, () => server.exitCode !== null)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

function installVerdaccio(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const folder = join(cache, 'octavo', `verdaccio-${VERDACCIO}`)
  const program = join(folder, 'node_modules/verdaccio/bin/verdaccio')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const manifest = {
    private: true,
    dependencies: { verdaccio: VERDACCIO },
    // A dependency of Verdaccio requires a tag of node-fetch that not every registry has.
    overrides: { 'node-fetch': '2.7.0' },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return program
}

function configuration(ownNames: readonly string[]): string {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  const open = { access: '$all', publish: '$all' }
  return JSON.stringify({
    storage: './storage',
    max_body_size: '200mb',
    auth: { htpasswd: { file: './htpasswd', max_users: -1 } },
    uplinks: { upstream: { url: upstream } },
    packages: {
      ...Object.fromEntries(ownNames.map((name) => [name, open])),
      '**': { access: '$all', proxy: 'upstream' },
    },
    log: { type: 'stdout', format: 'json', level: 'error' },
  })
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<void> {
  const end = Date.now() + START_MS_MAX
  while (Date.now() < end && !hasEnded()) {
    const response = await fetch(`${url}-/ping`).catch(() => undefined)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('Verdaccio did not start.')
}
