import type { Config } from '@octavo/model'
import type { Origins } from '../../compile/origins.ts'

export type Integrations = NonNullable<Config['integrations']>

export type SettingsOf<Key extends keyof Integrations> = NonNullable<Integrations[Key]>

/** A tool as browser/integrations/integration-plan.ts reads it, except for the origins. */
export type LoadedTool = {
  /** The URL of the tool's script. */
  readonly src: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly globals?: Readonly<Record<string, unknown>>
  readonly stub?: Readonly<Record<string, unknown>> & { readonly kind: string }
  readonly start?: readonly [path: string, ...args: unknown[]]
  /** The hosts that the tool's documentation lists for content security policies. */
  readonly origins: Partial<Origins>
}

/**
 * Returns false if a value is empty. An empty value is invalid and must not be replaced by a
 * default.
 */
export function isReadable(settings: object): boolean {
  return !Object.values(settings).includes('')
}
