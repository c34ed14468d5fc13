/**
 * Builds the dashboard's stylesheet: the tokens and colors shared with sites, then its own rules.
 */
import { readFileSync } from 'node:fs'
import { defaultPalette, STYLES_FOLDER } from '@octavo/theme'

/** Files with styles that are shared with sites. */
const SHARED = ['typeface.css', 'tokens.css', 'base.css']
/** The dashboard's own style files, in the order in which they appear in the stylesheet. */
const OWN = [
  'tokens',
  'base',
  'frame',
  'keep-access',
  'buttons',
  'menus',
  'cards',
  'states',
  'code',
  'facts',
  'tables',
  'forms',
  'overview',
  'empty-project',
  'deployments',
  'conversations',
  'gaps',
  'analytics',
  'access',
  'domains',
  'chips',
  'projects',
  'narrow',
  'now',
  'modes',
  'meters',
  'settings-row',
  'trend',
  'group',
  'bulk',
  'toast',
  'connection',
  'answer',
  'audit',
  'first-views',
  'assistant',
  'feedback',
]

/** `fontFaces` has the `@font-face` rules; without them, a stretched system font is used. */
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
