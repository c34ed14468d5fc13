/** Files that are served as they are: those of the repository, and the stylesheets of the theme. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STYLE_FILES, STYLES_FOLDER } from '@octavo/theme'
import { hashFile } from '../hash-bytes.ts'
import type { LoadedSite } from '../load-site.ts'
import type { OutputFolder } from '../output-folder.ts'
import type { OutputPaths } from '../output-paths.ts'
import type { SourceTree } from '../source-tree.ts'
import { specificationFiles } from '../specification-files.ts'

/** Everything of ours that is not a page. */
export const OWN_FOLDER = '_octavo'

/** Served as they are. Documents of programs (JSON, YAML) are served only as specifications. */
const STATIC_FILE =
  /\.(?:png|jpe?g|gif|webp|avif|ico|svg|bmp|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|txt|xml|csv|zip|gz|woff2?|ttf|otf|eot|css|js|lottie|wasm)$/i

export type Assets = {
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
  /** An icon at the root, which a site need not name. */
  readonly favicon: string | undefined
}

const FAVICONS = ['favicon.svg', 'favicon.ico', 'favicon.png']

export type AssetsInput = {
  readonly tree: SourceTree
  readonly site: LoadedSite
  readonly output: OutputFolder
  readonly paths: OutputPaths
  readonly folder: string
  /** Colours and the like, from docs.json. */
  readonly siteStyles: string
}

/** Copies files and tells which styles and scripts every page loads. */
export function writeAssets(input: AssetsInput): Assets {
  const { tree, site, output, paths, folder, siteStyles } = input
  for (const { path, bytes } of specificationFiles(site, tree)) {
    if (paths.claim(path)) output.write(path, undefined, bytes)
  }
  const files = tree.files.filter((file) => STATIC_FILE.test(file) && !file.startsWith(OWN_FOLDER))
  for (const file of files) {
    paths.claim(file)
    output.write(file, undefined, site.drawings.get(file) ?? readFileSync(join(folder, file)))
  }
  const theme = STYLE_FILES.map((name) =>
    readFileSync(join(fileURLToPath(STYLES_FOLDER), name), 'utf8'),
  ).join('\n')
  const styles = `${theme}\n${siteStyles}`
  const themePath = `${OWN_FOLDER}/theme-${hashFile(styles).slice(0, 12)}.css`
  output.write(themePath, undefined, styles)
  const favicon = FAVICONS.find((name) => tree.files.includes(name))
  // Authors' stylesheets and scripts are loaded by every page, on the site's own origin.
  const own = (ending: string) =>
    files.filter((file) => file.endsWith(ending)).map((file) => encodeURI(`/${file}`))
  return { styles: [`/${themePath}`, ...own('.css')], scripts: own('.js'), favicon }
}
