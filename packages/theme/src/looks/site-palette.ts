/**
 * Computes all colors of a site at build time: the colors of docs.json if they are readable, or
 * else the nearest readable ones. The browser never computes colors.
 */
import { CONFIG_DEFAULTS, type Config } from '@octavo/model'
import { BLACK, contrast, mix, parseHex, printHex, type Rgb, WHITE } from './color.ts'
import {
  FAINTEST_CODE,
  HUES,
  LOOK_NEUTRALS,
  type Neutrals,
  type SchemeName,
} from './look-neutrals.ts'
import {
  lowestContrast,
  readableOn,
  readableOnTint,
  TEXT_CONTRAST_MIN,
  TINT_SHARE,
  textColorOn,
} from './readable-color.ts'
import { lookOf } from './theme-looks.ts'

/** Colors by token name, without the prefix `--oct-`. */
export type Palette = Readonly<Record<string, Rgb>>

/** The highest share of a semantic color in the background of badges and callouts. */
const HUE_SHARE = 0.14
/** Below this contrast with the page, a button would be invisible. */
const BUTTON_CONTRAST_MIN = 1.25
/**
 * A background with less contrast than this must not be mixed with the text color, since black or
 * white may barely reach 4.5.
 */
const SAFE_CONTRAST = 7

export type SitePalette = Readonly<Record<SchemeName, Palette>>

/** The parts of docs.json that determine colors. */
type ColorSettings = Pick<Config, 'colors' | 'background' | 'theme'>

export function sitePalette(config: ColorSettings): SitePalette {
  return { light: schemePalette(config, 'light'), dark: schemePalette(config, 'dark') }
}

function schemePalette({ colors, background, theme }: ColorSettings, scheme: SchemeName): Palette {
  const written = parseHex(background?.color?.[scheme])
  const neutrals =
    written === undefined
      ? readNeutrals(LOOK_NEUTRALS[lookOf(theme).name][scheme])
      : deriveNeutrals(written)
  const { page, raised, sunken } = neutrals
  const grounds = [page, raised, sunken]
  const wanted = parseHex(scheme === 'dark' ? (colors.light ?? colors.primary) : colors.primary)
  const primary = readableOnTint(wanted ?? textColorOn(page), grounds)
  const strong = buttonColor(parseHex(colors.dark) ?? parseHex(colors.primary), { page, primary })
  return {
    ...neutrals,
    primary,
    tint: tintOf(primary, page),
    button: strong,
    'on-button': textColorOn(strong),
    'code-ground': codeGround(sunken, scheme),
    ...Object.fromEntries(
      Object.entries(HUES).map(([name, hue]) => [
        name,
        readableOnTint(parseHex(hue[scheme]) ?? page, grounds, HUE_SHARE),
      ]),
    ),
  }
}

type ReadNeutrals = Readonly<Record<keyof Neutrals, Rgb>>

function readNeutrals(written: Neutrals): ReadNeutrals {
  const entries = Object.entries(written).map(([name, hex]) => [name, parseHex(hex) ?? WHITE])
  return Object.fromEntries(entries) as ReadNeutrals
}

/** Derives neutral colors for a background chosen by the author, even a dark one in light mode. */
function deriveNeutrals(page: Rgb): ReadNeutrals {
  const ink = textColorOn(page)
  const away = ink === BLACK ? WHITE : BLACK
  const ground = (share: number) => {
    const toward = mix(page, { color: ink, share })
    return contrast(ink, toward) >= SAFE_CONTRAST ? toward : mix(page, { color: away, share })
  }
  const raised = ink === BLACK ? mix(page, { color: WHITE, share: 0.7 }) : ground(0.045)
  const sunken = ground(0.03)
  const grounds = [page, raised, sunken]
  const gray = (share: number) => readableOn(mix(page, { color: ink, share }), grounds)
  return {
    page,
    raised,
    sunken,
    text: gray(0.76),
    strong: gray(0.95),
    muted: gray(0.6),
    line: mix(page, { color: ink, share: 0.1 }),
    'line-strong': mix(page, { color: ink, share: 0.22 }),
  }
}

/**
 * Returns the background of selected items: the page background tinted with the primary color. If
 * the primary color is not readable on that, the background is made lighter or darker instead.
 */
function tintOf(primary: Rgb, page: Rgb): Rgb {
  const tint = mix(page, { color: primary, share: TINT_SHARE })
  if (contrast(primary, tint) >= TEXT_CONTRAST_MIN) return tint
  return mix(page, { color: textColorOn(page) === BLACK ? WHITE : BLACK, share: TINT_SHARE })
}

function buttonColor(
  written: Rgb | undefined,
  { page, primary }: { readonly page: Rgb; readonly primary: Rgb },
): Rgb {
  if (written === undefined || contrast(written, page) < BUTTON_CONTRAST_MIN) return primary
  return written
}

function codeGround(sunken: Rgb, scheme: SchemeName): Rgb {
  const faintest = parseHex(FAINTEST_CODE[scheme])
  const isReadable =
    faintest !== undefined && lowestContrast(faintest, [sunken]) >= TEXT_CONTRAST_MIN
  return isReadable ? sunken : (parseHex(LOOK_NEUTRALS.mint[scheme].sunken) ?? sunken)
}

/** Returns the colors of a site that does not choose any. The dashboard uses the same colors. */
export function defaultPalette(): string {
  return printPalette(sitePalette(CONFIG_DEFAULTS))
}

/** Prints `--oct-page:light-dark(#fff,#000);…` */
export function printPalette({ light, dark }: SitePalette): string {
  return Object.entries(light)
    .map(([name, color]) => {
      const [day, night] = [printHex(color), printHex(dark[name] ?? color)]
      return `--oct-${name}:${day === night ? day : `light-dark(${day},${night})`}`
    })
    .join(';')
}
