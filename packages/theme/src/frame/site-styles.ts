/** The colors, fonts and background from docs.json as CSS. Invalid values are omitted. */
import type { Config, NavDivision, Navigation } from '@octavo/model'
import { parseHex, printHex } from '../looks/color.ts'
import { textColorOn } from '../looks/readable-color.ts'
import { printPalette, sitePalette } from '../looks/site-palette.ts'
import { lookOf } from '../looks/theme-looks.ts'
import type { FrameAssets } from './frame-input.ts'
import { bannerKey } from './site-chrome.ts'

/** Without quotes, backslashes and brackets, a name cannot end a string or a rule. */
const FONT_FAMILY = /^[\p{L}\p{N} _.-]{1,80}$/u
const OWN_FILE = /^\/?(?!\/)[\w./ %~@-]{1,300}$/

/** The typeface that is included with every site. */
export const DEFAULT_TYPEFACE = 'Inter'

export function renderSiteStyles(config: Config, navigation: Navigation): string {
  const { fonts, styling } = config
  const declarations = [
    printPalette(sitePalette(config)),
    family('--oct-font-body', fonts?.body?.family ?? fonts?.family),
    family('--oct-font-heading', fonts?.heading?.family ?? fonts?.family),
    // The text of this look has a font of its own.
    ...(lookOf(config.theme).name === 'willow'
      ? [family('--oct-font-text', fonts?.body?.family ?? fonts?.family)]
      : []),
  ].filter((line) => line !== undefined)
  const faces = fontsOf(config).map(fontFace)
  const isDarkCode = styling?.codeblocks === 'dark'
  return [
    ...new Set(faces),
    `:root{${declarations.join(';')}}`,
    ...backgroundStyles(config),
    ...(isDarkCode ? ['.oct-code,.oct-code-group{color-scheme:dark}'] : []),
    ...new Set(bannersOf(config, navigation).flatMap(bannerStyles)),
    '',
  ].join('\n')
}

function family(name: string, value: string | undefined): string | undefined {
  if (value === undefined || !isFontFamily(value)) return undefined
  // Generic families are not quoted, since a quoted name refers to a font.
  const written = GENERIC_FAMILY.test(value) ? value : `"${value}"`
  return `${name}:${written},var(--oct-font-${written === value ? 'system' : 'default'})`
}

const GENERIC_FAMILY = /^(?:system-ui|sans-serif|serif|monospace|cursive|ui-[a-z-]+)$/

/** Checks whether a font name can be written into a stylesheet. */
export function isFontFamily(name: string): boolean {
  return FONT_FAMILY.test(name)
}

type OwnFont = { readonly name: string; readonly url: string; readonly weight: number | undefined }

/**
 * Returns the fonts that are files of the site, because a page must not load fonts from other
 * hosts.
 */
function fontsOf({ fonts }: Config): readonly OwnFont[] {
  return [fonts, fonts?.heading, fonts?.body].flatMap((font) => {
    const { family: name, source, weight } = font ?? {}
    if (name === undefined || source === undefined) return []
    if (!FONT_FAMILY.test(name) || !OWN_FILE.test(source)) return []
    return [{ name, url: ownUrl(source), weight }]
  })
}

function ownUrl(path: string): string {
  return path.startsWith('/') ? path : `/${path.replace(/^\.\//, '')}`
}

/** Returns the URLs of fonts that the browser should load before it has parsed the stylesheet. */
export function fontUrls(
  config: Config,
  { fonts: ours = [], siteFonts = [] }: Pick<FrameAssets, 'fonts' | 'siteFonts'>,
): readonly string[] {
  const { body, family } = config.fonts ?? {}
  const named = body?.family ?? family ?? DEFAULT_TYPEFACE
  const theirs = [...fontsOf(config).map(({ url }) => url), ...siteFonts]
  // Our typeface replaces a font that was not found.
  const isOurs = named === DEFAULT_TYPEFACE || (theirs.length === 0 && !GENERIC_FAMILY.test(named))
  return [...new Set([...(isOurs ? ours : []), ...theirs])]
}

/**
 * Returns the CSS rule of a font. A font that loads too late is only used on the next page, so that
 * text does not shift.
 */
function fontFace({ name, url, weight }: OwnFont): string {
  const weights = typeof weight === 'number' ? `font-weight:${weight};` : ''
  return `@font-face{font-family:"${name}";src:url("${url}");${weights}font-display:optional}`
}

function backgroundStyles({ background }: Config): readonly string[] {
  const { image, decoration } = background ?? {}
  const light = typeof image === 'string' ? image : image?.light
  const dark = typeof image === 'string' ? image : image?.dark
  const rules: string[] = []
  if (light !== undefined && dark !== undefined && OWN_FILE.test(light) && OWN_FILE.test(dark)) {
    const [day, night] = [imageProperty(light), imageProperty(dark)]
    rules.push(`:root{${day}}`, `body::before{${IMAGE}}`)
    if (day !== night) {
      rules.push(`[data-theme="dark"]{${night}}`)
      rules.push(`@media (prefers-color-scheme:dark){:root:not([data-theme]){${night}}}`)
    }
  } else if (decoration !== undefined) rules.push(`body::before{${DECORATIONS[decoration]}}`)
  return rules.length === 0 ? [] : [BEHIND, ...rules]
}

function imageProperty(path: string): string {
  return `--oct-image:url("${ownUrl(path)}")`
}

/** A decorative layer behind the content, at the top of the page. */
const BEHIND =
  'body{position:relative}body::before{content:"";position:absolute;inset:0 0 auto;block-size:min(44rem,100%);z-index:-1;pointer-events:none;-webkit-mask:linear-gradient(#000,transparent);mask:linear-gradient(#000,transparent)}@media print{body::before{display:none}}'
const IMAGE = 'background:var(--oct-image) top/cover no-repeat'

const DECORATIONS: Readonly<Record<'gradient' | 'grid' | 'windows', string>> = {
  gradient:
    'background:radial-gradient(60rem 28rem at 80% -8rem,color-mix(in srgb,var(--oct-primary) 16%,transparent),transparent),radial-gradient(40rem 22rem at 10% -10rem,color-mix(in srgb,var(--oct-primary) 9%,transparent),transparent)',
  grid: 'background:linear-gradient(var(--oct-line) 1px,transparent 1px) 0 0/2.5rem 2.5rem,linear-gradient(90deg,var(--oct-line) 1px,transparent 1px) 0 0/2.5rem 2.5rem;opacity:.55',
  windows:
    'background:linear-gradient(115deg,transparent 52%,color-mix(in srgb,var(--oct-primary) 9%,transparent) 52% 64%,transparent 64% 68%,color-mix(in srgb,var(--oct-primary) 6%,transparent) 68% 84%,transparent 84%)',
}

type Banner = NonNullable<Config['banner']>

/** Returns the banners of the site and of all divisions that define their own. */
function bannersOf(config: Config, { root }: Navigation): readonly Banner[] {
  const found: Banner[] = config.banner === undefined ? [] : [config.banner]
  const collect = (division: NavDivision) => {
    if (division.chrome.banner !== undefined) found.push(division.chrome.banner)
    for (const child of division.children) if (child.type === 'division') collect(child)
  }
  collect(root)
  return found
}

/** Returns styles with the author's background color and a readable text color. */
function bannerStyles(banner: Banner): readonly string[] {
  const light = parseHex(banner.color?.light)
  const dark = parseHex(banner.color?.dark) ?? light
  const [day, night] = [light ?? dark, dark ?? light]
  if (day === undefined || night === undefined) return []
  const ground = `light-dark(${printHex(day)},${printHex(night)})`
  const ink = `light-dark(${printHex(textColorOn(day))},${printHex(textColorOn(night))})`
  return [`.oct-banner[data-key="${bannerKey(banner)}"]{background:${ground};color:${ink}}`]
}
