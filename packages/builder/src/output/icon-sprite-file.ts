import type { IconSprite, SpriteFile } from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

/** Writes the icons of navigation, header and footer as one file with only the used icons. */
export function writeIconSprite(sprite: IconSprite, output: SiteOutput): SpriteFile {
  const path = `${OWN_FOLDER}/icons-${hashFile(sprite.text).slice(0, 12)}.svg`
  if (sprite.text !== '') output.write(path, sprite.text, { access: 'public' })
  return { url: `/${path}`, sprite }
}
