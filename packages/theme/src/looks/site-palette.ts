/**
 * All colors of a site, worked out at build time: what docs.json says where it can be read, the
 * nearest readable color where it cannot. A page never has to guess in the browser.
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
  inkOn,
  lowestContrast,
  readableOn,
  readableOnTint,
  TEXT_CONTRAST_MIN,
  TINT_SHARE,
} from './readable-color.ts'
import { lookOf } from './theme-looks.ts'

/** Token names without `--oct-`, and their colors. */
export type Palette = Readonly<Record<string, Rgb>>

/** Badges and callouts lay up to this much of their hue over the ground. */
const HUE_SHARE = 0.14
/** A button that is this close to the page could not be seen. */
const BUTTON_CONTRAST_MIN = 1.25
/** Where even black or white only just reaches 4.5, a ground must not come closer to the ink. */
const SAFE_CONTRAST = 7

export type SitePalette = Readonly<Record<SchemeName, Palette>>

/** What of docs.json decides on colors. */
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
  const primary = readableOnTint(wanted ?? inkOn(page), grounds)
  const strong = buttonColor(parseHex(colors.dark) ?? parseHex(colors.primary), { page, primary })
  return {
    ...neutrals,
    primary,
    tint: tintOf(primary, page),
    button: strong,
    'on-button': inkOn(strong),
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

/** Greys that suit a ground of the author's choice, even one that is dark in light mode. */
function deriveNeutrals(page: Rgb): ReadNeutrals {
  const ink = inkOn(page)
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

/** What is chosen is marked with a little of the color, or else with a ground away from it. */
function tintOf(primary: Rgb, page: Rgb): Rgb {
  const tint = mix(page, { color: primary, share: TINT_SHARE })
  if (contrast(primary, tint) >= TEXT_CONTRAST_MIN) return tint
  return mix(page, { color: inkOn(page) === BLACK ? WHITE : BLACK, share: TINT_SHARE })
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

/** The colors of a site that chooses none, which are also those of the dashboard. */
export function defaultPalette(): string {
  return printPalette(sitePalette(CONFIG_DEFAULTS))
}

/** `--oct-page:light-dark(#fff,#000);…` */
export function printPalette({ light, dark }: SitePalette): string {
  return Object.entries(light)
    .map(([name, color]) => {
      const [day, night] = [printHex(color), printHex(dark[name] ?? color)]
      return `--oct-${name}:${day === night ? day : `light-dark(${day},${night})`}`
    })
    .join(';')
}
