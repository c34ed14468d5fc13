/**
 * Describes the tools that `integrations` of docs.json can load. Each has the URL of its script and
 * the hosts that its documentation lists for policies, so that nothing depends on what the tool
 * does at run time.
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

/** Returns the tools that have valid settings, in a fixed order. */
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
