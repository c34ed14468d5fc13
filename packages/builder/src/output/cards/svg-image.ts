/**
 * Draws a simple SVG image, such as a logo: shapes with fills and strokes of one color each. An
 * image with anything else (text, styles, masks, filters) is not drawn, since a part of a logo
 * would be worse than the name of the site. The file may be hostile, so its size is limited.
 */
import { xmlTokens } from '../../source/images/xml-tokens.ts'
import type { Color } from './canvas.ts'
import { Coverage } from './coverage.ts'
import { readSvgColor } from './svg-color.ts'
import { parsePath } from './svg-path.ts'
import { type Matrix, multiply, parseTransform, place } from './svg-transform.ts'

/** Pixels with red, green, blue and opacity from 0 to 1, row by row. */
export type Pixels = {
  readonly width: number
  readonly height: number
  readonly rgba: Float32Array
}

export type SvgTarget = {
  readonly height: number
  readonly widthMax: number
  /** The color that `currentColor` means. */
  readonly ink: Color
}

const LENGTH_MAX = 200_000
const SHAPES_MAX = 1_000
const DEPTH_MAX = 30
const SHAPES = new Set(['path', 'rect', 'circle', 'ellipse', 'polygon', 'polyline', 'line'])
const UNDRAWN = new Set(['title', 'desc', 'metadata', 'defs', 'clipPath', 'linearGradient'])
const ALSO_UNDRAWN = new Set(['radialGradient', 'stop'])

type Attributes = ReadonlyMap<string, string>
/** What an element inherits from those around it. */
type State = { readonly matrix: Matrix; readonly style: Attributes; readonly opacity: number }

/** Returns undefined for an image that cannot be drawn completely. */
export function drawSvg(text: string, target: SvgTarget): Pixels | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const gradients = gradientColors(text)
  let drawing: Drawing | undefined
  const states: State[] = []
  let undrawn = 0
  let shapes = 0
  for (const token of xmlTokens(text)) {
    if (token.kind === 'broken') return undefined
    if (token.kind === 'close') {
      if (undrawn > 0) undrawn -= 1
      else states.pop()
      continue
    }
    if (token.kind !== 'open') continue
    const { name, isEmpty } = token
    if (undrawn > 0 || UNDRAWN.has(name) || ALSO_UNDRAWN.has(name)) {
      if (!isEmpty) undrawn += 1
      continue
    }
    const attributes = readAttributes(token.attributes)
    if (attributes.has('mask') || attributes.has('filter')) return undefined
    if (name === 'svg' && drawing === undefined) {
      drawing = openDrawing(attributes, { ...target, gradients })
      if (drawing === undefined) return undefined
      states.push(inherit(attributes, drawing.start))
      continue
    }
    const around = states.at(-1)
    if (drawing === undefined || around === undefined || states.length > DEPTH_MAX) return undefined
    const state = inherit(attributes, around)
    if (SHAPES.has(name)) {
      shapes += 1
      if (shapes > SHAPES_MAX || !drawing.add(name, attributes, state)) return undefined
    } else if (name !== 'g') return undefined
    if (!isEmpty) states.push(state)
  }
  return drawing?.pixels
}

function readAttributes(
  written: readonly { readonly name: string; readonly value: string }[],
): Attributes {
  const attributes = new Map(written.map(({ name, value }) => [name, value.trim()]))
  for (const rule of (attributes.get('style') ?? '').split(';')) {
    const [name = '', value = ''] = rule.split(':')
    if (value !== '') attributes.set(name.trim(), value.trim())
  }
  return attributes
}

const INHERITED = [
  'fill',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'color',
] as const
const OPACITIES = ['fill-opacity', 'stroke-opacity'] as const

function inherit(own: Attributes, around: State): State {
  const style = new Map(around.style)
  for (const name of [...INHERITED, ...OPACITIES]) {
    const value = own.get(name)
    if (value !== undefined) style.set(name, value)
  }
  const opacity = around.opacity * numberOf(own.get('opacity'), 1)
  return { matrix: multiply(around.matrix, parseTransform(own.get('transform'))), style, opacity }
}

type DrawingOptions = SvgTarget & { readonly gradients: ReadonlyMap<string, Color> }

function openDrawing(own: Attributes, options: DrawingOptions): Drawing | undefined {
  const box = (own.get('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const [
    x = 0,
    y = 0,
    width = numberOf(own.get('width'), 0),
    height = numberOf(own.get('height'), 0),
  ] = box.length === 4 ? box : [0, 0]
  if (!(width > 0 && height > 0)) return undefined
  const scale = Math.min(options.height / height, options.widthMax / width)
  const size = { width: Math.ceil(width * scale), height: Math.ceil(height * scale) }
  if (!(size.width > 0 && size.height > 0 && size.width <= options.widthMax)) return undefined
  return new Drawing(size, [scale, 0, 0, scale, -x * scale, -y * scale], options)
}

class Drawing {
  readonly pixels: Pixels
  readonly start: State
  readonly #options: DrawingOptions

  constructor(
    { width, height }: { readonly width: number; readonly height: number },
    matrix: Matrix,
    options: DrawingOptions,
  ) {
    this.pixels = { width, height, rgba: new Float32Array(width * height * 4) }
    this.start = { matrix, style: new Map(), opacity: 1 }
    this.#options = options
  }

  /** Draws a shape. Returns false if it cannot be drawn. */
  add(name: string, own: Attributes, { matrix, style, opacity }: State): boolean {
    const outline =
      name === 'path' ? parsePath(own.get('d') ?? '') : parsePath(shapePath(name, own))
    if (outline === undefined) return false
    const contours = outline.map((contour) => contour.map((spot) => place(spot, matrix)))
    const fill = this.#colorOf(style.get('fill') ?? '#000', style)
    const stroke = this.#colorOf(style.get('stroke') ?? 'none', style)
    if (fill === undefined || stroke === undefined) return false
    if (fill !== 'none' && name !== 'line') {
      const rule = style.get('fill-rule') === 'evenodd' ? 'evenodd' : 'nonzero'
      const coverage = this.#cover((one) => one.fill(contours))
      this.#blend(coverage.shares(rule), fill, opacity * numberOf(style.get('fill-opacity'), 1))
    }
    if (stroke !== 'none') {
      const scale = Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
      const width = numberOf(style.get('stroke-width'), 1) * scale
      const isRound = style.get('stroke-linecap') === 'round'
      const coverage = this.#cover((one) => one.stroke(contours, width, isRound))
      this.#blend(coverage.shares(), stroke, opacity * numberOf(style.get('stroke-opacity'), 1))
    }
    return true
  }

  #cover(draw: (coverage: Coverage) => void): Coverage {
    const coverage = new Coverage(this.pixels.width, this.pixels.height)
    draw(coverage)
    return coverage
  }

  #colorOf(written: string, style: Attributes): Color | 'none' | undefined {
    const reference = /^url\(["']?#([^"')]+)["']?\)/.exec(written)?.[1]
    if (reference !== undefined) return this.#options.gradients.get(reference)
    const own = written === 'currentColor' ? (style.get('color') ?? written) : written
    return own === 'currentColor' ? this.#options.ink : readSvgColor(own)
  }

  #blend(shares: Float32Array, color: Color, opacity: number): void {
    const { rgba } = this.pixels
    for (let index = 0; index < shares.length; index += 1) {
      const share = (shares[index] ?? 0) * opacity
      if (share <= 0) continue
      for (let part = 0; part < 3; part += 1) {
        const at = index * 4 + part
        rgba[at] = (rgba[at] ?? 0) * (1 - share) + (color[part] ?? 0) * share
      }
      rgba[index * 4 + 3] = (rgba[index * 4 + 3] ?? 0) * (1 - share) + share
    }
  }
}

/** Returns a shape as path data. */
function shapePath(name: string, own: Attributes): string {
  const of = (key: string) => numberOf(own.get(key), 0)
  if (name === 'line') return `M${of('x1')} ${of('y1')}L${of('x2')} ${of('y2')}`
  if (name === 'polygon' || name === 'polyline') {
    const points = (own.get('points') ?? '').trim()
    return points === '' ? '' : `M${points}${name === 'polygon' ? 'z' : ''}`
  }
  if (name === 'rect') {
    const [x, y, width, height] = [of('x'), of('y'), of('width'), of('height')]
    const wanted = numberOf(own.get('rx') ?? own.get('ry'), 0)
    const radius = Math.max(0, Math.min(wanted, width / 2, height / 2))
    const corner = (dx: number, dy: number) =>
      radius === 0 ? '' : `a${radius} ${radius} 0 0 1 ${dx * radius} ${dy * radius}`
    const [across, down] = [width - 2 * radius, height - 2 * radius]
    return `M${x + radius} ${y}h${across}${corner(1, 1)}v${down}${corner(-1, 1)}h${-across}${corner(-1, -1)}v${-down}${corner(1, -1)}z`
  }
  const rx = name === 'circle' ? of('r') : of('rx')
  const ry = name === 'circle' ? of('r') : of('ry')
  const half = `${rx} ${ry} 0 1 1`
  return `M${of('cx') - rx} ${of('cy')}a${half} ${2 * rx} 0a${half} ${-2 * rx} 0z`
}

/** Returns the mean color of each gradient: at the size of a logo on a card, that is close to it. */
function gradientColors(text: string): ReadonlyMap<string, Color> {
  const colors = new Map<string, Color>()
  let id: string | undefined
  let stops: Color[] = []
  for (const token of xmlTokens(text)) {
    if (token.kind === 'open' && /^(?:linear|radial)Gradient$/.test(token.name)) {
      id = readAttributes(token.attributes).get('id')
      stops = []
    } else if (token.kind === 'open' && token.name === 'stop') {
      const color = readSvgColor(readAttributes(token.attributes).get('stop-color') ?? '#000')
      if (color !== undefined && color !== 'none') stops.push(color)
    } else if (token.kind === 'close' && token.name.endsWith('Gradient') && id !== undefined) {
      const mean = (part: 0 | 1 | 2) =>
        Math.round(stops.reduce((sum, color) => sum + color[part], 0) / stops.length)
      if (stops.length > 0) colors.set(id, [mean(0), mean(1), mean(2)])
      id = undefined
    }
  }
  return colors
}

function numberOf(text: string | undefined, fallback: number): number {
  const value = Number.parseFloat(text ?? '')
  if (!Number.isFinite(value)) return fallback
  return text?.endsWith('%') ? value / 100 : value
}
