/** Maps theme names of docs.json to looks. */
import type { Config } from '@octavo/model'

export type ThemeName = NonNullable<Config['theme']>

/** A complete design with its own stylesheet, `styles/look-<name>.css`. */
export type LookName = 'mint' | 'maple' | 'almond' | 'willow' | 'linden'

export type Look = {
  readonly name: LookName
  /** The kind of text above the title if `styling.eyebrows` is not set. */
  readonly eyebrows: 'section' | 'breadcrumbs'
}

/**
 * The nine theme names of existing repositories. A theme without a look of its own gets the most
 * similar look.
 */
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
