/**
 * Converts outlines to pixel coverage. Every edge adds the area to its right to the pixels that it
 * crosses; the running sum along a row is then the covered area. This needs only one pass and no
 * sorting.
 */
import type { Outline, Point } from './font-file.ts'

/** The coverage of each pixel from 0 to 255, row by row. */
export type Bitmap = {
  readonly width: number
  readonly height: number
  /**
   * The offset from the pen to the left edge; `top` is the offset from the baseline to the top
   * edge.
   */
  readonly left: number
  readonly top: number
  readonly coverage: Uint8Array
}

/** Number of line segments per curve. More would not be visible at the sizes used on a card. */
const CURVE_PIECES = 6

export function rasterize(outline: Outline, scale: number): Bitmap {
  const points = outline.flat()
  if (points.length === 0) {
    return { width: 0, height: 0, left: 0, top: 0, coverage: new Uint8Array() }
  }
  const left = Math.floor(Math.min(...points.map(({ x }) => x)) * scale) - 1
  const right = Math.ceil(Math.max(...points.map(({ x }) => x)) * scale) + 1
  const top = Math.ceil(Math.max(...points.map(({ y }) => y)) * scale) + 1
  const bottom = Math.floor(Math.min(...points.map(({ y }) => y)) * scale) - 1
  const width = right - left
  const height = top - bottom
  const area = new Float64Array(width * height + 2)
  const draw = (from: Spot, to: Spot) => addEdge(area, width, from, to)
  const place = ({ x, y }: { readonly x: number; readonly y: number }): Spot => ({
    x: x * scale - left,
    y: top - y * scale,
  })
  for (const contour of outline) drawContour(contour, place, draw)
  const coverage = new Uint8Array(width * height)
  let sum = 0
  for (let index = 0; index < coverage.length; index += 1) {
    sum += area[index] ?? 0
    coverage[index] = Math.min(255, Math.round(Math.abs(sum) * 255))
  }
  return { width, height, left, top, coverage }
}

export type Spot = { readonly x: number; readonly y: number }

/** Draws one contour. Two consecutive control points imply a point on the curve between them. */
function drawContour(
  contour: readonly Point[],
  place: (point: Spot) => Spot,
  draw: (from: Spot, to: Spot) => void,
): void {
  const first = contour.find(({ isOn }) => isOn) ?? contour[0]
  if (first === undefined) return
  const from = contour.indexOf(first)
  const ring = [...contour.slice(from + 1), ...contour.slice(0, from), first]
  let at = place(first)
  let control: Point | undefined
  for (const point of ring) {
    if (point.isOn) {
      const end = place(point)
      if (control === undefined) draw(at, end)
      else drawCurve(at, place(control), end, draw)
      at = end
      control = undefined
      continue
    }
    if (control !== undefined) {
      const middle = place({ x: (control.x + point.x) / 2, y: (control.y + point.y) / 2 })
      drawCurve(at, place(control), middle, draw)
      at = middle
    }
    control = point
  }
  if (control !== undefined) drawCurve(at, place(control), place(first), draw)
}

function drawCurve(
  from: Spot,
  control: Spot,
  to: Spot,
  draw: (from: Spot, to: Spot) => void,
): void {
  let at = from
  for (let piece = 1; piece <= CURVE_PIECES; piece += 1) {
    const t = piece / CURVE_PIECES
    const a = (1 - t) * (1 - t)
    const b = 2 * t * (1 - t)
    const next = {
      x: a * from.x + b * control.x + t * t * to.x,
      y: a * from.y + b * control.y + t * t * to.y,
    }
    draw(at, next)
    at = next
  }
}

/** Adds a line of an outline. All points must be inside the area. */
export function addEdge(area: Float64Array, width: number, from: Spot, to: Spot): void {
  if (from.y === to.y) return
  const direction = from.y < to.y ? 1 : -1
  const [upper, lower] = direction === 1 ? [from, to] : [to, from]
  const slope = (lower.x - upper.x) / (lower.y - upper.y)
  let x = upper.x
  for (let row = Math.floor(upper.y); row < lower.y; row += 1) {
    const start = Math.max(row, upper.y)
    const end = Math.min(row + 1, lower.y)
    const nextX = x + slope * (end - start)
    addRow(area, row * width, {
      weight: direction * (end - start),
      x0: Math.min(x, nextX),
      x1: Math.max(x, nextX),
    })
    x = nextX
  }
}

/**
 * Adds the part of an edge that is in one row. Its weight is distributed among the pixels between
 * `x0` and `x1`.
 */
function addRow(
  area: Float64Array,
  row: number,
  { weight, x0, x1 }: { readonly weight: number; readonly x0: number; readonly x1: number },
): void {
  const first = Math.floor(x0)
  const last = Math.floor(x1)
  if (first === last) {
    const inside = 1 - ((x0 + x1) / 2 - first)
    add(area, row + first, weight * inside)
    add(area, row + first + 1, weight * (1 - inside))
    return
  }
  const perPixel = weight / (x1 - x0)
  let covered = 0
  for (let pixel = first; pixel <= last; pixel += 1) {
    const begin = Math.max(x0, pixel)
    const end = Math.min(x1, pixel + 1)
    const share = perPixel * (end - begin)
    const inside = share * (pixel + 1 - (begin + end) / 2)
    add(area, row + pixel, covered + inside)
    covered = share - inside
  }
  add(area, row + last + 1, covered)
}

function add(area: Float64Array, index: number, value: number): void {
  area[index] = (area[index] ?? 0) + value
}
