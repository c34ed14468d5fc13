/** Stores the sessions of `octavo login` in a file that only its owner can read. */
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CommandContext } from '../context/command-context.ts'

/** The tokens, by the service's origin. */
type Credentials = { readonly services: Readonly<Record<string, { readonly token: string }>> }

const ONLY_OWNER = 0o600
const ONLY_OWNER_FOLDER = 0o700
const TOKEN = /^octavo_ses_[0-9A-Za-z]{38}$/

export function credentialsFile({ env }: CommandContext): string {
  const folder = env.XDG_CONFIG_HOME?.trim() || join(homedir(), '.config')
  return join(folder, 'octavo', 'credentials.json')
}

/** Returns the token for a service; undefined if no user is signed in or the token is malformed. */
export async function readCredential(
  world: CommandContext,
  service: URL,
): Promise<string | undefined> {
  const token = (await readCredentials(world)).services[service.origin]?.token
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/** Stores the token for a service; removes it if `token` is undefined. */
export async function writeCredential(
  world: CommandContext,
  service: URL,
  token: string | undefined,
): Promise<void> {
  const { [service.origin]: _, ...others } = (await readCredentials(world)).services
  const services = token === undefined ? others : { ...others, [service.origin]: { token } }
  const file = credentialsFile(world)
  if (Object.keys(services).length === 0) return rm(file, { force: true })
  await mkdir(dirname(file), { recursive: true, mode: ONLY_OWNER_FOLDER })
  // The rename is atomic: a command that reads the file at the same time gets either the old or the
  // new content.
  const written = `${file}.${process.pid}`
  await writeFile(written, `${JSON.stringify({ services }, null, 2)}\n`, { mode: ONLY_OWNER })
  await chmod(written, ONLY_OWNER)
  await rename(written, file)
}

async function readCredentials(world: CommandContext): Promise<Credentials> {
  try {
    const value = JSON.parse(await readFile(credentialsFile(world), 'utf8')) as Partial<Credentials>
    return { services: value?.services ?? {} }
  } catch {
    return { services: {} }
  }
}
