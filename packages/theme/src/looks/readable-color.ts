/** Makes text readable, whatever colors an author chooses (WCAG 2, level AA: 4.5 to 1). */
import { BLACK, contrast, lightnessOf, mix, type Rgb, WHITE, withLightness } from './color.ts'

export const TEXT_CONTRAST_MIN = 4.5

/** The share of the color in the background of selected items; the same as in `tokens.css`. */
export const TINT_SHARE = 0.08

const LIGHTNESS_STEP = 0.01

/** Returns black or white, whichever has more contrast. One of them always reaches 4.5 to 1. */
export function textColorOn(ground: Rgb): Rgb {
  return contrast(BLACK, ground) >= contrast(WHITE, ground) ? BLACK : WHITE
}

/**
 * Returns the color itself if it is readable on all backgrounds, or else the nearest readable color
 * of the same hue. Such a color only exists if all backgrounds are dark or all are light.
 */
export function readableOn(color: Rgb, grounds: readonly Rgb[]): Rgb {
  return nearest(color, grounds[0] ?? WHITE, (it) => lowestContrast(it, grounds))
}

/** Like `readableOn`, but the color is also readable on backgrounds that are tinted with it. */
export function readableOnTint(color: Rgb, grounds: readonly Rgb[], share = TINT_SHARE): Rgb {
  return nearest(color, grounds[0] ?? WHITE, (it) =>
    lowestContrast(it, [...grounds, ...grounds.map((ground) => mix(ground, { color: it, share }))]),
  )
}

export function lowestContrast(color: Rgb, grounds: readonly Rgb[]): number {
  return Math.min(...grounds.map((ground) => contrast(color, ground)))
}

function nearest(color: Rgb, ground: Rgb, worst: (color: Rgb) => number): Rgb {
  if (worst(color) >= TEXT_CONTRAST_MIN) return color
  const ink = textColorOn(ground)
  const step = ink === WHITE ? LIGHTNESS_STEP : -LIGHTNESS_STEP
  for (let lightness = lightnessOf(color); lightness > 0 && lightness < 1; lightness += step) {
    const changed = withLightness(color, lightness)
    if (worst(changed) >= TEXT_CONTRAST_MIN) return changed
  }
  return ink
}
