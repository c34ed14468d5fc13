/** Starts `octavo dev` for a folder and waits until it serves pages. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

export const COMMAND = join(import.meta.dirname, '../../packages/cli/src/main.ts')

export type DevServer = { readonly origin: string; readonly server: ChildProcess }

export async function startDev(folder: string, octavo = COMMAND): Promise<DevServer> {
  const args = [octavo, 'dev', folder, '--port', '0']
  // Older versions do not have this option, but send no requests to other hosts anyway.
  if (octavo === COMMAND) args.push('--offline')
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const origin = await new Promise<string>((resolve, reject) => {
    let printed = ''
    const read = (chunk: Buffer) => {
      printed += chunk
      const found = /http:\/\/(?:localhost|127\.0\.0\.1):(\d+)/.exec(printed)
      if (found !== null) resolve(`http://127.0.0.1:${found[1]}`)
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.on('exit', () => reject(new Error(printed)))
  })
  return { origin, server }
}
