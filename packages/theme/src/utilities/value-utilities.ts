/** Utility classes that end with a value, as in Tailwind CSS 3. */
import { heightOf, ownValue, sizeOf, spaceOf, widthOf } from './lengths.ts'
import { colorOf } from './palette.ts'

type ReadValue = (written: string) => string | undefined

export type Family = {
  readonly prefix: string
  /** Returns the declarations for a value; undefined if it is not supported. */
  readonly css: ReadValue
  /** True if the styles apply to the children of the element, except the first. */
  readonly isBetween?: true
}

/** Returns the families for positive and negative values: `mt-2` and `-mt-2`. */
function spaces(prefix: string, properties: string, read: ReadValue = sizeOf): readonly Family[] {
  return [
    { prefix, css: declare(properties, read) },
    { prefix: `-${prefix}`, css: declare(properties, (written) => minus(read(written))) },
  ]
}

function minus(length: string | undefined): string | undefined {
  return length === undefined || !/^[\d.]/.test(length) ? undefined : `-${length}`
}

function family(prefix: string, properties: string, read: ReadValue): Family {
  return { prefix, css: declare(properties, read) }
}

function declare(properties: string, read: ReadValue): ReadValue {
  return (written) => {
    const value = read(written)
    if (value === undefined) return undefined
    return properties
      .split(' ')
      .map((property) => `${property}:${value}`)
      .join(';')
  }
}

function oneOf(values: Readonly<Record<string, string>>): ReadValue {
  return (written) => (Object.hasOwn(values, written) ? values[written] : undefined)
}

function count(max: number): ReadValue {
  return (written) => (/^\d{1,4}$/.test(written) && Number(written) <= max ? written : undefined)
}

function counted(max: number, css: (number: number) => string): ReadValue {
  return (written) => {
    const number = count(max)(written)
    return number === undefined ? undefined : css(Number(number))
  }
}

/** Returns a reader that uses the first of several readers that supports a value. */
function either(...several: readonly ReadValue[]): ReadValue {
  return (written) => {
    for (const read of several) {
      const value = read(written)
      if (value !== undefined) return value
    }
    return undefined
  }
}

const SIDES = { t: 'top', r: 'right', b: 'bottom', l: 'left' } as const
const CORNERS: Readonly<Record<string, string>> = {
  t: 'top-left top-right',
  r: 'top-right bottom-right',
  b: 'bottom-left bottom-right',
  l: 'top-left bottom-left',
  tl: 'top-left',
  tr: 'top-right',
  bl: 'bottom-left',
  br: 'bottom-right',
}

const RADII = oneOf({
  '': '0.25rem',
  none: '0',
  sm: '0.125rem',
  md: '0.375rem',
  lg: '0.5rem',
  xl: '0.75rem',
  '2xl': '1rem',
  '3xl': '1.5rem',
  full: '9999px',
})

const TEXT_SIZES = oneOf({
  xs: '0.75rem;line-height:1rem',
  sm: '0.875rem;line-height:1.25rem',
  base: '1rem;line-height:1.5rem',
  lg: '1.125rem;line-height:1.75rem',
  xl: '1.25rem;line-height:1.75rem',
  '2xl': '1.5rem;line-height:2rem',
  '3xl': '1.875rem;line-height:2.25rem',
  '4xl': '2.25rem;line-height:2.5rem',
  '5xl': '3rem;line-height:1',
  '6xl': '3.75rem;line-height:1',
  '7xl': '4.5rem;line-height:1',
  '8xl': '6rem;line-height:1',
  '9xl': '8rem;line-height:1',
})

const WEIGHTS = oneOf({
  thin: '100',
  extralight: '200',
  light: '300',
  normal: '400',
  medium: '500',
  semibold: '600',
  bold: '700',
  extrabold: '800',
  black: '900',
})

const LINE_HEIGHTS = oneOf({
  none: '1',
  tight: '1.25',
  snug: '1.375',
  normal: '1.5',
  relaxed: '1.625',
  loose: '2',
})

const LETTER_SPACES = oneOf({
  tighter: '-0.05em',
  tight: '-0.025em',
  normal: '0',
  wide: '0.025em',
  wider: '0.05em',
  widest: '0.1em',
})

const SHADOWS = oneOf({
  '': '0 1px 3px rgb(0 0 0/.1),0 1px 2px -1px rgb(0 0 0/.1)',
  sm: '0 1px 2px rgb(0 0 0/.05)',
  md: '0 4px 6px -1px rgb(0 0 0/.1),0 2px 4px -2px rgb(0 0 0/.1)',
  lg: '0 10px 15px -3px rgb(0 0 0/.1),0 4px 6px -4px rgb(0 0 0/.1)',
  xl: '0 20px 25px -5px rgb(0 0 0/.1),0 8px 10px -6px rgb(0 0 0/.1)',
  '2xl': '0 25px 50px -12px rgb(0 0 0/.25)',
  inner: 'inset 0 2px 4px rgb(0 0 0/.05)',
  none: 'none',
})

const DIRECTIONS: Readonly<Record<string, string>> = {
  t: 'top',
  tr: 'top right',
  r: 'right',
  br: 'bottom right',
  b: 'bottom',
  bl: 'bottom left',
  l: 'left',
  tl: 'top left',
}

const BORDER_WIDTHS = either(oneOf({ '': '1px', 0: '0', 2: '2px', 4: '4px', 8: '8px' }), ownValue)

/** Borders are solid unless `border-dashed` or a similar class is set. */
const LINE_STYLE = 'var(--oct-border-style,solid)'

function border(sides: readonly string[]): ReadValue {
  return (written) => {
    const width = BORDER_WIDTHS(written)
    if (width === undefined) return undefined
    return sides.map((side) => `border${side}:${width} ${LINE_STYLE} var(--oct-line)`).join(';')
  }
}

/** In the order of the stylesheet: more specific families come later and win. */
export const FAMILIES: readonly Family[] = [
  ...spaces('inset', 'inset'),
  ...spaces('inset-x', 'left right'),
  ...spaces('inset-y', 'top bottom'),
  ...Object.values(SIDES).flatMap((side) => spaces(side, side)),
  ...spaces('start', 'inset-inline-start'),
  ...spaces('end', 'inset-inline-end'),
  ...spaces('z', 'z-index', either(count(9999), oneOf({ auto: 'auto' }))),
  ...spaces('order', 'order', count(99)),
  family(
    'col-span',
    'grid-column',
    counted(12, (number) => `span ${number}/span ${number}`),
  ),
  family('col-start', 'grid-column-start', count(13)),
  family('col-end', 'grid-column-end', count(13)),
  family(
    'row-span',
    'grid-row',
    counted(12, (number) => `span ${number}/span ${number}`),
  ),
  family('row-start', 'grid-row-start', count(13)),
  family('row-end', 'grid-row-end', count(13)),
  ...spaces('m', 'margin'),
  ...spaces('mx', 'margin-left margin-right'),
  ...spaces('my', 'margin-top margin-bottom'),
  ...Object.entries(SIDES).flatMap(([letter, side]) => spaces(`m${letter}`, `margin-${side}`)),
  ...spaces('ms', 'margin-inline-start'),
  ...spaces('me', 'margin-inline-end'),
  family(
    'line-clamp',
    'overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp',
    count(6),
  ),
  family('size', 'width height', sizeOf),
  family('h', 'height', heightOf),
  family('max-h', 'max-height', heightOf),
  family('min-h', 'min-height', heightOf),
  family('w', 'width', widthOf),
  family('min-w', 'min-width', widthOf),
  family('max-w', 'max-width', widthOf),
  family('basis', 'flex-basis', sizeOf),
  family('columns', 'columns', count(12)),
  ...spaces('translate-x', '--oct-x', sizeOf).map(withMove),
  ...spaces('translate-y', '--oct-y', sizeOf).map(withMove),
  ...spaces(
    'rotate',
    'rotate',
    counted(360, (number) => `${number}deg`),
  ),
  family(
    'scale',
    'scale',
    either(
      counted(200, (number) => `${number / 100}`),
      ownValue,
    ),
  ),
  family('grid-cols', 'grid-template-columns', counted(12, repeat)),
  family('grid-rows', 'grid-template-rows', counted(12, repeat)),
  family('gap', 'gap', spaceOf),
  family('gap-x', 'column-gap', spaceOf),
  family('gap-y', 'row-gap', spaceOf),
  { prefix: 'space-x', css: declare('margin-inline-start', spaceOf), isBetween: true },
  { prefix: 'space-y', css: declare('margin-top', spaceOf), isBetween: true },
  { prefix: 'divide-x', css: border(['-inline-start']), isBetween: true },
  { prefix: 'divide-y', css: border(['-top']), isBetween: true },
  { prefix: 'divide', css: declare('border-color', colorOf), isBetween: true },
  family('rounded', 'border-radius', either(RADII, ownValue)),
  ...Object.entries(CORNERS).map(([letters, corners]) => ({
    prefix: `rounded-${letters}`,
    css: declare(
      corners
        .split(' ')
        .map((corner) => `border-${corner}-radius`)
        .join(' '),
      either(RADII, ownValue),
    ),
  })),
  { prefix: 'border', css: border(['']) },
  { prefix: 'border-x', css: border(['-left', '-right']) },
  { prefix: 'border-y', css: border(['-top', '-bottom']) },
  ...Object.entries(SIDES).map(([letter, side]) => ({
    prefix: `border-${letter}`,
    css: border([`-${side}`]),
  })),
  ...['dashed', 'dotted', 'double', 'solid', 'none'].map((style) => ({
    prefix: `border-${style}`,
    css: (written: string) =>
      written === '' ? `--oct-border-style:${style};border-style:${style}` : undefined,
  })),
  family('border', 'border-color', colorOf),
  ...Object.entries(SIDES).map(([letter, side]) =>
    family(`border-${letter}`, `border-${side}-color`, colorOf),
  ),
  family('bg', 'background-color', colorOf),
  {
    prefix: 'bg-gradient-to',
    css: (written) => {
      const direction = Object.hasOwn(DIRECTIONS, written) ? DIRECTIONS[written] : undefined
      if (direction === undefined) return undefined
      return `background-image:linear-gradient(to ${direction},var(--oct-stops))`
    },
  },
  {
    prefix: 'from',
    css: mapColor((color) => `--oct-from:${color};--oct-stops:${color},var(--oct-to,transparent)`),
  },
  {
    prefix: 'via',
    css: mapColor(
      (color) => `--oct-stops:var(--oct-from,transparent),${color},var(--oct-to,transparent)`,
    ),
  },
  family('to', '--oct-to', colorOf),
  family('fill', 'fill', either(colorOf, oneOf({ none: 'none' }))),
  family('stroke', 'stroke', either(colorOf, oneOf({ none: 'none' }))),
  family('stroke', 'stroke-width', count(4)),
  ...spaces('p', 'padding', spaceOf),
  ...spaces('px', 'padding-left padding-right', spaceOf),
  ...spaces('py', 'padding-top padding-bottom', spaceOf),
  ...Object.entries(SIDES).flatMap(([letter, side]) =>
    spaces(`p${letter}`, `padding-${side}`, spaceOf),
  ),
  ...spaces('ps', 'padding-inline-start', spaceOf),
  ...spaces('pe', 'padding-inline-end', spaceOf),
  family('indent', 'text-indent', spaceOf),
  family('text', 'font-size', either(TEXT_SIZES, ownValue)),
  family('font', 'font-weight', WEIGHTS),
  family('leading', 'line-height', either(LINE_HEIGHTS, spaceOf)),
  family('tracking', 'letter-spacing', either(LETTER_SPACES, ownValue)),
  family('text', 'color', colorOf),
  family('decoration', 'text-decoration-color', colorOf),
  family('underline-offset', 'text-underline-offset', counted(8, pixels)),
  family(
    'opacity',
    'opacity',
    counted(100, (number) => `${number / 100}`),
  ),
  family('shadow', 'box-shadow', SHADOWS),
  family('ring', '--oct-ring', colorOf),
  family(
    'ring',
    'box-shadow',
    either(
      oneOf({ '': '0 0 0 3px var(--oct-ring,var(--oct-primary))' }),
      counted(8, (number) => `0 0 0 ${number}px var(--oct-ring,var(--oct-primary))`),
    ),
  ),
  family('outline', 'outline-color', colorOf),
  family('duration', 'transition-duration', counted(2000, milliseconds)),
  family('delay', 'transition-delay', counted(2000, milliseconds)),
]

function withMove({ prefix, css }: Family): Family {
  return {
    prefix,
    css: (written) => {
      const declared = css(written)
      return declared && `${declared};translate:var(--oct-x,0) var(--oct-y,0)`
    },
  }
}

function mapColor(css: (color: string) => string): ReadValue {
  return (written) => {
    const color = colorOf(written)
    return color === undefined ? undefined : css(color)
  }
}

function repeat(number: number): string {
  return `repeat(${number},minmax(0,1fr))`
}

function pixels(number: number): string {
  return `${number}px`
}

function milliseconds(number: number): string {
  return `${number}ms`
}
