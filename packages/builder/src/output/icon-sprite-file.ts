import type { IconSprite, SpriteFile } from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashFile } from '../source/hash-bytes.ts'
import type { SiteOutput } from './site-output.ts'

/** Writes one file with the icons that the navigation, header and footer use. */
export function writeIconSprite(sprite: IconSprite, output: SiteOutput): SpriteFile {
  const path = `${OWN_FOLDER}/icons-${hashFile(sprite.text).slice(0, 12)}.svg`
  if (sprite.text !== '') output.write(path, sprite.text, { access: 'public' })
  return { url: `/${path}`, sprite }
}
