/** Theme names of docs.json and the looks they give. */
import type { Config } from '@octavo/model'

export type ThemeName = NonNullable<Config['theme']>

/** A finished look: a stylesheet of its own, `styles/look-<name>.css`. */
export type LookName = 'mint' | 'maple' | 'almond' | 'willow' | 'linden'

export type Look = {
  readonly name: LookName
  /** What stands above the title where `styling.eyebrows` says nothing. */
  readonly eyebrows: 'section' | 'breadcrumbs'
}

/** Nine names that existing repositories use; the four without a look of their own get the nearest. */
const THEME_LOOKS: Readonly<Record<ThemeName, Look>> = {
  mint: { name: 'mint', eyebrows: 'section' },
  aspen: { name: 'mint', eyebrows: 'breadcrumbs' },
  maple: { name: 'maple', eyebrows: 'section' },
  palm: { name: 'maple', eyebrows: 'section' },
  luma: { name: 'maple', eyebrows: 'breadcrumbs' },
  almond: { name: 'almond', eyebrows: 'breadcrumbs' },
  willow: { name: 'willow', eyebrows: 'section' },
  sequoia: { name: 'willow', eyebrows: 'breadcrumbs' },
  linden: { name: 'linden', eyebrows: 'section' },
}

export function lookOf(theme: ThemeName | undefined): Look {
  return THEME_LOOKS[theme ?? 'mint']
}
