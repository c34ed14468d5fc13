/** Lengths with Tailwind CSS names: steps of a quarter rem, fractions and a few keywords. */

const STEP = /^(?:\d{1,3}|\d{1,2}\.5)$/
const SHARE = /^(\d{1,2})\/(\d{1,2})$/
/** Matches arbitrary values that authors may write, limited to plain lengths. */
const WRITTEN = /^\[(-?\d{0,5}(?:\.\d{1,4})?(?:px|rem|em|%|vh|vw|dvh|svh|ch|fr|deg|ms|s)?)\]$/

const STEPS_MAX = 384

/** Converts a spacing value: `4` → `1rem`, `px` → `1px`, `[13px]` → `13px`. */
export function spaceOf(written: string): string | undefined {
  if (written === 'px') return '1px'
  if (written === '0') return '0'
  if (STEP.test(written) && Number(written) <= STEPS_MAX) return `${Number(written) / 4}rem`
  return ownValue(written)
}

export function ownValue(written: string): string | undefined {
  const value = WRITTEN.exec(written)?.[1]
  return value === undefined || value === '' ? undefined : value
}

const SIZES: Readonly<Record<string, string>> = {
  auto: 'auto',
  full: '100%',
  min: 'min-content',
  max: 'max-content',
  fit: 'fit-content',
}

/** Converts a spacing value or a fraction of the container. */
export function sizeOf(written: string): string | undefined {
  if (Object.hasOwn(SIZES, written)) return SIZES[written]
  const share = SHARE.exec(written)
  if (share === null) return spaceOf(written)
  const [part, whole] = [Number(share[1]), Number(share[2])]
  return whole === 0 ? undefined : `${Number(((part / whole) * 100).toFixed(4))}%`
}

const WIDTHS: Readonly<Record<string, string>> = {
  none: 'none',
  xs: '20rem',
  sm: '24rem',
  md: '28rem',
  lg: '32rem',
  xl: '36rem',
  '2xl': '42rem',
  '3xl': '48rem',
  '4xl': '56rem',
  '5xl': '64rem',
  '6xl': '72rem',
  '7xl': '80rem',
  prose: '65ch',
  screen: '100vw',
  'screen-sm': '640px',
  'screen-md': '768px',
  'screen-lg': '1024px',
  'screen-xl': '1280px',
  'screen-2xl': '1536px',
}

export function widthOf(written: string): string | undefined {
  return Object.hasOwn(WIDTHS, written) ? WIDTHS[written] : sizeOf(written)
}

const HEIGHTS: Readonly<Record<string, string>> = {
  none: 'none',
  screen: '100vh',
  dvh: '100dvh',
  svh: '100svh',
  lvh: '100lvh',
}

export function heightOf(written: string): string | undefined {
  return Object.hasOwn(HEIGHTS, written) ? HEIGHTS[written] : sizeOf(written)
}
