import type { Config } from '@octavo/model'
import { parseHex, printHex } from './color.ts'
import { sitePalette } from './site-palette.ts'

export type ChangedColor = {
  readonly key: 'primary' | 'light'
  readonly scheme: 'light' | 'dark'
  readonly written: string
  readonly used: string
}

/** Colours of the author that could not be read on their ground, and what is used for text instead. */
export function changedColors(config: Config): readonly ChangedColor[] {
  const { colors } = config
  const palette = sitePalette(config)
  const asked: readonly Omit<ChangedColor, 'used'>[] = [
    { key: 'primary', scheme: 'light', written: colors.primary },
    colors.light === undefined
      ? { key: 'primary', scheme: 'dark', written: colors.primary }
      : { key: 'light', scheme: 'dark', written: colors.light },
  ]
  return asked.flatMap(({ key, scheme, written }) => {
    const color = parseHex(written)
    const used = palette[scheme].primary
    if (color === undefined || used === undefined || printHex(color) === printHex(used)) return []
    return [{ key, scheme, written, used: printHex(used) }]
  })
}
