import type { CommandContext } from '../context/command-context.ts'
import { askSite } from '../live/ask-site.ts'

const WAIT_MS_MAX = 60_000
const PAUSE_MS = 500

/** Polls the site itself until readers get the deployment; returns false on timeout. */
export async function waitUntilLive(
  world: CommandContext,
  siteUrl: string,
  id: string,
): Promise<boolean> {
  const address = new URL('_octavo/version.json', siteUrl.endsWith('/') ? siteUrl : `${siteUrl}/`)
  const end = world.clock.now() + WAIT_MS_MAX
  while (world.clock.now() < end) {
    const reply = await askSite(address).catch(() => undefined)
    if (reply?.bytes.includes(`"${id}"`)) return true
    await world.clock.sleep(PAUSE_MS)
  }
  return false
}
