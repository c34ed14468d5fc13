/** Loads the icons that docs.json and the frontmatter of listed pages name. */
import type { Config, KnownPage, Navigation, Report } from '@octavo/model'
import {
  createIconLibrary,
  createIconSprite,
  frameIcons,
  type IconLibrary,
  type IconSprite,
} from '@octavo/theme'
import { MissingIcons } from './missing-icons.ts'
import { readIconSet } from './read-icon-set.ts'

export type LoadIconsInput = {
  readonly config: Config
  readonly navigation: Navigation
  readonly configFile: string
  readonly pages: ReadonlyMap<string, KnownPage>
  readonly read: (path: string) => string | undefined
  readonly report: Report
}

export function loadIcons(input: LoadIconsInput): IconSprite {
  const { config, navigation, configFile, pages, read, report } = input
  const library = openIconLibrary(config.icons?.library)
  const sprite = createIconSprite(frameIcons(config, navigation), library)
  const missing = new Map<string, MissingIcons>()
  for (const { icon, page } of sprite.missing) {
    const file = (page && pages.get(page)?.file) ?? configFile
    const ofFile = missing.get(file) ?? new MissingIcons(library)
    missing.set(file, ofFile)
    if (typeof icon === 'string') ofFile.add(icon, {})
    else ofFile.add(icon.name, { type: icon.style, library: icon.library })
  }
  for (const [file, ofFile] of missing) ofFile.diagnose([file], read).forEach(report)
  return sprite
}

/** Opens the icon library of a site, which uses the installed icon sets. */
export function openIconLibrary(library: string | undefined): IconLibrary {
  return createIconLibrary({ readSet: readIconSet, library })
}
