import type { Config } from '@octavo/model'

const COLOR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
/** No quote, backslash or bracket: nothing that could end a string or a rule. */
const FONT_FAMILY = /^[\p{L}\p{N} _.-]{1,80}$/u
const FONT_FILE = /^\/?[\w./ %~-]{1,300}$/

/** Colours and fonts of docs.json as custom properties. What is not plainly one is left out. */
export function renderSiteStyles(config: Config): string {
  const { colors, background, fonts } = config
  const declarations = [
    color('--oct-primary-light', colors.primary),
    color('--oct-primary-dark', colors.light ?? colors.primary),
    color('--oct-primary-strong', colors.dark ?? colors.primary),
    color('--oct-page-light', background?.color?.light),
    color('--oct-page-dark', background?.color?.dark),
    family('--oct-font-body', fonts?.body?.family ?? fonts?.family),
    family('--oct-font-heading', fonts?.heading?.family ?? fonts?.family),
  ].filter((line) => line !== undefined)
  const faces = [fonts, fonts?.heading, fonts?.body].map(fontFace).filter((it) => it !== undefined)
  const banner = bannerStyles(config)
  return [...new Set(faces), `:root{${declarations.join(';')}}`, ...banner, ''].join('\n')
}

function color(name: string, value: string | undefined): string | undefined {
  return value !== undefined && COLOR.test(value) ? `${name}:${value}` : undefined
}

function family(name: string, value: string | undefined): string | undefined {
  return value !== undefined && FONT_FAMILY.test(value)
    ? `${name}:"${value}",var(--oct-font-system)`
    : undefined
}

type Font = { readonly family?: string; readonly weight?: number; readonly source?: string }

/** Only a file of the site itself: a page must not call other hosts. */
function fontFace(font: Font | undefined): string | undefined {
  const { family: name, source, weight } = font ?? {}
  if (name === undefined || source === undefined) return undefined
  if (!FONT_FAMILY.test(name) || !FONT_FILE.test(source) || source.startsWith('//'))
    return undefined
  const url = source.startsWith('/') ? source : `/${source}`
  const weights = typeof weight === 'number' ? `font-weight:${weight};` : ''
  return `@font-face{font-family:"${name}";src:url("${url}");${weights}font-display:swap}`
}

function bannerStyles({ banner }: Config): readonly string[] {
  const light = color('--oct-banner-light', banner?.color?.light)
  const dark = color('--oct-banner-dark', banner?.color?.dark ?? banner?.color?.light)
  const declarations = [light, dark].filter((line) => line !== undefined)
  return declarations.length === 0 ? [] : [`.oct-banner{${declarations.join(';')}}`]
}
