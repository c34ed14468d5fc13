/**
 * The tools that `integrations` of docs.json can load, each with its script URL and the hosts that
 * it documents for policies, so that nothing depends on the tool's behavior at run time.
 */
import * as analytics from './analytics-tools.ts'
import { hasValidConsent } from './consent-managers.ts'
import { type Integrations, isReadable, type LoadedTool, type SettingsOf } from './loaded-tool.ts'
import { frontChat, intercom } from './support-tools.ts'

type ToolKey = Exclude<keyof Integrations, 'cookies' | 'onetrust' | 'telemetry' | 'transcend'>

const TOOLS: { readonly [Key in ToolKey]: (settings: SettingsOf<Key>) => LoadedTool } = {
  adobe: analytics.adobe,
  amplitude: analytics.amplitude,
  clarity: analytics.clarity,
  clearbit: analytics.clearbit,
  fathom: analytics.fathom,
  frontchat: frontChat,
  ga4: analytics.googleAnalytics,
  gtm: analytics.tagManager,
  heap: analytics.heap,
  hightouch: analytics.hightouch,
  hotjar: analytics.hotjar,
  intercom,
  koala: analytics.koala,
  logrocket: analytics.logRocket,
  mixpanel: analytics.mixpanel,
  pirsch: analytics.pirsch,
  plausible: analytics.plausible,
  posthog: analytics.posthog,
  segment: analytics.segment,
}

/** Returns the tools with valid settings, in a fixed order. */
export function loadedTools(integrations: Integrations | undefined): readonly LoadedTool[] {
  if (integrations === undefined || !hasValidConsent(integrations)) return []
  return (Object.keys(TOOLS) as ToolKey[]).flatMap((key) => toolOf(key, integrations[key]))
}

function toolOf<Key extends ToolKey>(
  key: Key,
  settings: SettingsOf<Key> | undefined,
): readonly LoadedTool[] {
  return settings !== undefined && isReadable(settings) ? [TOOLS[key](settings)] : []
}
