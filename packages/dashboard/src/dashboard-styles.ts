/** One stylesheet: the tokens and colors of the sites, then the dashboard's own rules. */
import { readFileSync } from 'node:fs'
import { defaultPalette, STYLES_FOLDER } from '@octavo/theme'

/** What looks the same on sites and here. */
const SHARED = ['typeface.css', 'tokens.css', 'base.css']
const OWN =
  'tokens base frame keep-access buttons menus cards states code facts tables forms overview empty-project deployments conversations gaps analytics access domains narrow'.split(
    ' ',
  )

/** `fontFaces` names the files of the typeface; without them a font of the reader is stretched. */
export function dashboardStyles(fontFaces = ''): string {
  const own = new URL('./styles/', import.meta.url)
  const read = (folder: URL) => (name: string) => readFileSync(new URL(name, folder), 'utf8')
  return [
    fontFaces,
    ...SHARED.map(read(STYLES_FOLDER)),
    `:root{${defaultPalette()}}`,
    ...OWN.map((name) => read(own)(`${name}.css`)),
  ].join('\n')
}
