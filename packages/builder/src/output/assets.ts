/** Writes static files, and the styles and scripts that every page loads. */

import type { AccessLabel } from '@octavo/model'
import type { BasePath, FrameInput } from '@octavo/theme'
import type { LoadedSite } from '../load/load-site.ts'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { STATIC_FILE } from '../plan/site-paths.ts'
import { specificationFiles } from '../plan/specification-files.ts'
import type { SourceTree } from '../source/source-tree.ts'
import { writeAuthorCopies } from './author-copies.ts'
import { findAuthorHooks } from './author-files.ts'
import { writeFonts, writeSiteFonts } from './font-files.ts'
import type { SiteOutput } from './site-output.ts'
import { type StylesInput, writeStyles } from './style-files.ts'

export type Assets = FrameInput['assets'] & {
  /** An icon in the root folder, which is used even if docs.json does not name it. */
  readonly favicon: string | undefined
}

const FAVICONS = ['favicon.svg', 'favicon.ico', 'favicon.png']

export type AssetsInput = {
  readonly tree: SourceTree
  readonly site: LoadedSite
  readonly output: SiteOutput
  /** Colors and other styles that docs.json sets. */
  readonly siteStyles: string
  readonly styles: StylesInput['styles']
  readonly basePath: BasePath
  /** The label for the copies of authors' stylesheets and scripts, which every page loads. */
  readonly accessOfAll: AccessLabel
}

/** Copies static files, and returns the styles and scripts that every page loads. */
export function writeAssets(input: AssetsInput): Assets {
  const { tree, site, output, siteStyles, styles, basePath } = input
  for (const { path, bytes, access } of specificationFiles(site, tree)) {
    output.write(path, bytes, { access })
  }
  const files = tree.files.filter((file) => STATIC_FILE.test(file) && !file.startsWith(OWN_FOLDER))
  for (const file of files) {
    const drawing = site.drawings.get(file)
    // The access labels are set after all pages are compiled: see `label-assets.ts`.
    const rewritten = drawing ?? (file.endsWith('.css') && basedStyles(tree, file, basePath))
    if (rewritten) output.write(file, rewritten, { access: 'default' })
    else output.copy(file, () => tree.readBytes(file), 'default')
  }
  const favicon = FAVICONS.find((name) => tree.files.includes(name))
  const copies = writeAuthorCopies(input, files)
  // Every page loads the authors' stylesheets and scripts, which the site itself serves.
  const own = (ending: string) =>
    files
      .filter((file) => file.endsWith(ending))
      .map((file) => encodeURI(`/${copies.get(file) ?? file}`))
  const fonts = writeFonts(output)
  const siteFonts = writeSiteFonts(output, site.fonts)
  const { hooks, utilities, styles: following } = findAuthorHooks(tree, files)
  const { base, parts } = writeStyles({
    output,
    theme: site.config.theme,
    siteStyles: `${siteStyles}${following}`,
    fontStyles: `${fonts.styles}\n${siteFonts.styles}`,
    utilities,
    styles,
  })
  return {
    styles: [base],
    parts,
    authorStyles: own('.css'),
    scripts: own('.js'),
    fonts: fonts.urls,
    siteFonts: siteFonts.urls,
    hooks,
    favicon,
  }
}

/**
 * Returns an author's stylesheet adapted to the base path, or undefined if it can be copied
 * unchanged.
 */
export function basedStyles(
  tree: SourceTree,
  file: string,
  basePath: BasePath,
): string | undefined {
  return !basePath.isNeeded ? undefined : basePath.css(tree.read(file) ?? '')
}
