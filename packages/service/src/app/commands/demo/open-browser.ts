/** Opens a URL in the user's browser, never through a shell. */
import { spawn } from 'node:child_process'

type Machine = {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
}

/**
 * Returns the command that opens a browser, or undefined without a display, as on a server or in
 * CI.
 */
export function browserCommand(
  url: string,
  { platform, environment }: Machine,
): readonly [program: string, ...args: string[]] | undefined {
  const { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = environment
  if (CI || SSH_CONNECTION) return undefined
  if (platform === 'darwin') return ['open', url]
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open', url] : undefined
}

/** Opens the URL. Returns false if no browser was started. */
export function openBrowser(url: string, machine: Machine): Promise<boolean> {
  const command = browserCommand(url, machine)
  if (command === undefined) return Promise.resolve(false)
  const [program, ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
