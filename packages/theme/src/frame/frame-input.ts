/** The input for rendering the document around the content of a page. */
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
  /** The sprite from `createIconSprite` with its URL; without it, icon names show no icon. */
  readonly icons?: SpriteFile
  /** The download URL of the specification, or of an archive with all specifications. */
  readonly specification?: LabeledUrl
  /** The interface text in the site's languages, from `loadLanguages`; otherwise English. */
  readonly texts?: InterfaceTexts
  /** The content security policy of pages, for hosts that cannot send headers. */
  readonly policy?: string
  /** An icon at the root of the repository, for sites that do not configure one. */
  readonly favicon?: string
  /** The site's URL, such as `https://docs.example.com`, for absolute URLs. */
  readonly siteUrl?: string
  /** The site's base path. By default, the site is at the root of its host. */
  readonly basePath?: BasePath
  /** True if pages have access labels: some readers then see only a part of the navigation. */
  readonly hasLabels?: boolean
  /** Returns the index roots for a search scope. By default, there is one public root. */
  readonly searchRoots?: (scope: SearchScope) => readonly LabeledUrl[]
  /** Returns the description of a page, for directory listings. */
  readonly describe?: (path: string) => string | undefined
  /** The modes of pages whose frontmatter sets one, by page path. */
  readonly modes?: ReadonlyMap<string, PageMode>
  /**
   * Saves the lists of collapsed groups in a large sidebar and returns their URL. Without it, each
   * page has the whole sidebar.
   */
  readonly saveTree?: (text: string, access: AccessLabel) => string
}

/** A URL and who may access it. */
export type LabeledUrl = { readonly url: string; readonly access: Access }

/** URLs of resources that pages load. */
export type FrameAssets = {
  /** Stylesheets of every page. */
  readonly styles: readonly string[]
  /** Stylesheets of pages that need them. */
  readonly parts: Readonly<Partial<Record<StylePart, string>>>
  /** The author's stylesheets, which are linked after ours. */
  readonly authorStyles: readonly string[]
  readonly scripts: readonly string[]
  /** Names that authors' files use for the parts of pages: see `author-hooks.ts`. */
  readonly hooks?: readonly string[]
  /** The default typeface, for sites that do not configure one. */
  readonly fonts?: readonly string[]
  /** Fonts that docs.json sets and every page loads, unless they are files of the repository. */
  readonly siteFonts?: readonly string[]
}

export type PageView = {
  /** The page path, such as `guides/start`. */
  readonly path: string
  readonly url: string
  readonly title: string
  readonly description?: string
  /** HTML from `renderContent`. */
  readonly content: string
  readonly headings: readonly PageHeading[]
  /** Stylesheets that the page's content needs. */
  readonly styleParts?: readonly StylePart[]
  /** Utility classes that the page's content uses. */
  readonly utilities?: readonly string[]
  /** HTML from `Frame.renderDirectory`, placed below the content. */
  readonly directory?: string
  /** The page's entry in the navigation; undefined for an unlisted page. */
  readonly entry: NavPage | undefined
  /** The page's access label; the default label if undefined. */
  readonly access?: AccessLabel
  readonly frontmatter: Frontmatter
  /** True if the version comes from the enclosing tab or anchor. */
  readonly inheritsVersion?: boolean
  readonly markdownUrl?: string
  /** The URL of the page's RSS feed. */
  readonly feedUrl?: string
  /** The preview image for links to the page: a path of this site. */
  readonly image?: { readonly url: string; readonly width: number; readonly height: number }
  /** The content security policy, if it differs from the site's. */
  readonly policy?: string
  /** An ISO date, shown if defined. */
  readonly lastModified?: string
  /** The URL to edit the page. */
  readonly editUrl?: string
  /** The URL to report a problem with the page. */
  readonly issueUrl?: string
}

export type PageMode = NonNullable<Frontmatter['fields']['mode']>
export type Chrome = {
  readonly banner: Config['banner']
  readonly navbar: Config['navbar']
  readonly footer: Config['footer']
}

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

/** Returns the banner, navbar and footer of a section: its own, an ancestor's, or the site's. */
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

/** Returns the section and its ancestors, innermost first, without the root. */
export function divisionsAround(section: NavDivision): readonly NavDivision[] {
  const divisions: NavDivision[] = []
  for (let at: NavDivision | undefined = section; at?.parent !== undefined; at = at.parent) {
    divisions.push(at)
  }
  return divisions
}

/** Returns the enclosing language, version or other division of a section. */
export function divisionAround(
  section: NavDivision,
  kind: NavDivision['kind'],
): NavDivision | undefined {
  return divisionsAround(section).find((division) => division.kind === kind)
}
