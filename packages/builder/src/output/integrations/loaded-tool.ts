import type { Config } from '@octavo/model'
import type { Origins } from '../../compile/origins.ts'

export type Integrations = NonNullable<Config['integrations']>

export type SettingsOf<Key extends keyof Integrations> = NonNullable<Integrations[Key]>

/** See browser/integrations/integration-plan.ts, which reads everything except the origins. */
export type LoadedTool = {
  /** URL of its script. */
  readonly src: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly globals?: Readonly<Record<string, unknown>>
  readonly stub?: Readonly<Record<string, unknown>> & { readonly kind: string }
  readonly start?: readonly [path: string, ...args: unknown[]]
  /** The hosts that the tool documents for policies. */
  readonly origins: Partial<Origins>
}

/** False if a value is empty, which means invalid: it must not be replaced by a default. */
export function isReadable(settings: object): boolean {
  return !Object.values(settings).includes('')
}
