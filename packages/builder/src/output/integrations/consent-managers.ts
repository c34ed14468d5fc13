/**
 * Describes OneTrust and Transcend, which ask readers for consent. All other tools wait for that
 * consent.
 */
import { type Integrations, isReadable, type LoadedTool, type SettingsOf } from './loaded-tool.ts'

export type ConsentManager = Pick<LoadedTool, 'src' | 'attributes' | 'origins'> & {
  readonly kind: 'onetrust' | 'transcend'
  /** The consent category or purpose to which all tools belong. */
  readonly group: string
}

/**
 * Returns false if a consent setting is invalid. Readers could then not consent, so no tool may
 * load.
 */
export function hasValidConsent({ cookies, onetrust, transcend }: Integrations): boolean {
  return [cookies, onetrust, transcend].every((one) => one === undefined || isReadable(one))
}

export function consentManagers(integrations: Integrations | undefined): readonly ConsentManager[] {
  const { onetrust, transcend } = integrations ?? {}
  return [
    ...(onetrust && isReadable(onetrust) ? [oneTrust(onetrust)] : []),
    ...(transcend && isReadable(transcend) ? [transcendManager(transcend)] : []),
  ]
}

/** OneTrust's default category for analytics. */
const PERFORMANCE = 'C0002'

function oneTrust({
  domainScript,
  categoryId = PERFORMANCE,
  scriptSource = 'https://cdn.cookielaw.org/scripttemplates/otSDKStub.js',
}: SettingsOf<'onetrust'>): ConsentManager {
  const files = [new URL(scriptSource).origin, 'https://cdn.cookielaw.org']
  const hosts = [...files, 'https://*.onetrust.com']
  return {
    kind: 'onetrust',
    group: categoryId,
    src: scriptSource,
    attributes: { 'data-domain-script': domainScript },
    origins: { scripts: hosts, connections: hosts, images: files, styles: files, fonts: files },
  }
}

function transcendManager({
  bundleId,
  analyticsPurpose = 'Analytics',
}: SettingsOf<'transcend'>): ConsentManager {
  const files = ['https://transcend-cdn.com', 'https://cdn.transcend.io']
  return {
    kind: 'transcend',
    group: analyticsPurpose,
    src: `https://transcend-cdn.com/cm/${bundleId}/airgap.js`,
    origins: {
      scripts: files,
      styles: files,
      images: files,
      connections: [...files, 'https://*.transcend.io'],
      // This frame shares the consent between several sites of the same owner.
      frames: ['https://sync-transcend-cdn.com'],
    },
  }
}
