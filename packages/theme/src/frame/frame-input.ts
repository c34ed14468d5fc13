/** What the frame around the content is made from. */
import type { PageHeading } from '@octavo/content'
import type {
  Access,
  AccessLabel,
  Config,
  Frontmatter,
  NavDivision,
  Navigation,
  NavPage,
} from '@octavo/model'
import type { SearchScope } from '@octavo/search'
import type { SpriteFile } from '../icons/render-icon.ts'
import type { StylePart } from '../looks/style-parts.ts'
import type { InterfaceTexts } from '../words/interface-text.ts'
import type { BasePath } from './base-path.ts'

export type FrameInput = {
  readonly config: Config
  readonly navigation: Navigation
  readonly assets: FrameAssets
  /** The sprite of `createIconSprite` and its address; without it names of icons show nothing. */
  readonly icons?: SpriteFile
  /** Where readers download the specification, or the archive of all of them. */
  readonly specification?: LabelledUrl
  /** Words of the languages of the site, from `loadLanguages`; English where there are none. */
  readonly texts?: InterfaceTexts
  /** Content security policy of a page, for hosts that send no headers of their own. */
  readonly policy?: string
  /** An icon at the root of the repository, for sites that name none. */
  readonly favicon?: string
  /** Where the site will stand, such as `https://docs.example.com`; for addresses that must be whole. */
  readonly siteUrl?: string
  /** Where the addresses of the site begin; at the root of the host, if not given. */
  readonly basePath?: BasePath
  /** Pages have access labels, so that some readers do not see all of the navigation. */
  readonly hasLabels?: boolean
  /** The roots of the index that readers of a scope search; one without access, if not given. */
  readonly searchRoots?: (scope: SearchScope) => readonly LabelledUrl[]
  /** What a page of the navigation is about, for directory listings. */
  readonly describe?: (path: string) => string | undefined
}

/** An address, and who may know of it. */
export type LabelledUrl = { readonly url: string; readonly access: Access }

/** Addresses of what pages load. */
export type FrameAssets = {
  /** Stylesheets of every page. */
  readonly styles: readonly string[]
  /** Stylesheets of the pages that need them. */
  readonly parts: Readonly<Partial<Record<StylePart, string>>>
  /** The author's own, which come after all of ours. */
  readonly authorStyles: readonly string[]
  readonly scripts: readonly string[]
  /** Names by which authors' files know parts of pages: see `author-hooks.ts`. */
  readonly hooks?: readonly string[]
  /** Our typeface, for sites that name none. */
  readonly fonts?: readonly string[]
  /** Fonts of docs.json that every page loads, where they are no files of the repository. */
  readonly siteFonts?: readonly string[]
}

export type PageView = {
  /** Page path: `guides/start`. */
  readonly path: string
  readonly url: string
  readonly title: string
  readonly description?: string
  /** HTML from `renderContent`. */
  readonly content: string
  readonly headings: readonly PageHeading[]
  /** Stylesheets that its content needs. */
  readonly styleParts?: readonly StylePart[]
  /** Utility classes in its content. */
  readonly utilities?: readonly string[]
  /** HTML from `Frame.renderDirectory`, to stand below the content. */
  readonly directory?: string
  /** Its place in the navigation; nothing for a page that is not listed. */
  readonly entry: NavPage | undefined
  /** Who may read it; the default label, if not given. */
  readonly access?: AccessLabel
  readonly frontmatter: Frontmatter
  /** Its version is that of the tab or anchor around it. */
  readonly inheritsVersion?: boolean
  /** Address of the page as Markdown. */
  readonly markdownUrl?: string
  /** Address of the feed of its updates. */
  readonly feedUrl?: string
  /** A picture of the page, for those who link to it: a path of this site. */
  readonly image?: { readonly url: string; readonly width: number; readonly height: number }
  /** Content security policy, where it is not that of the site. */
  readonly policy?: string
  /** ISO date; shown when given. */
  readonly lastModified?: string
  /** Where readers edit the page. */
  readonly editUrl?: string
  /** Where readers report a problem of it. */
  readonly issueUrl?: string
}

export type PageMode = NonNullable<Frontmatter['fields']['mode']>
export type Chrome = {
  readonly banner: Config['banner']
  readonly navbar: Config['navbar']
  readonly footer: Config['footer']
}

/** Which parts of the layout a page has. */
export type PageParts = {
  readonly sidebar: boolean
  readonly contents: boolean
  readonly title: boolean
}

export function partsOf(mode: PageMode): PageParts {
  switch (mode) {
    case 'default':
      return { sidebar: true, contents: true, title: true }
    case 'wide':
      return { sidebar: true, contents: false, title: true }
    case 'center':
      return { sidebar: false, contents: false, title: true }
    case 'frame':
      return { sidebar: true, contents: false, title: false }
    case 'custom':
    case 'assistant':
      return { sidebar: false, contents: false, title: false }
  }
}

/** Banner, navbar and footer of a section: its own or of what is around it, else the site's. */
export function chromeOf(section: NavDivision, config: Config): Chrome {
  let { banner, navbar, footer } = section.chrome
  for (let at = section.parent; at !== undefined; at = at.parent) {
    banner ??= at.chrome.banner
    navbar ??= at.chrome.navbar
    footer ??= at.chrome.footer
  }
  return {
    banner: banner ?? config.banner,
    navbar: navbar ?? config.navbar,
    footer: footer ?? config.footer,
  }
}

/** The divisions from the section outwards, the innermost first, without the root. */
export function divisionsAround(section: NavDivision): readonly NavDivision[] {
  const divisions: NavDivision[] = []
  for (let at: NavDivision | undefined = section; at?.parent !== undefined; at = at.parent) {
    divisions.push(at)
  }
  return divisions
}

/** The language, version, … around a section. */
export function divisionAround(
  section: NavDivision,
  kind: NavDivision['kind'],
): NavDivision | undefined {
  return divisionsAround(section).find((division) => division.kind === kind)
}
