/** Computes which part of each pixel is covered by shapes, which may extend beyond the image. */
import { addEdge, type Spot } from './rasterize.ts'
import type { Contour } from './svg-path.ts'

export type FillRule = 'nonzero' | 'evenodd'

export class Coverage {
  readonly width: number
  readonly height: number
  /** Columns at the end of each row take what is beyond the right edge. */
  readonly #stride: number
  readonly #area: Float64Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#stride = width + 2
    this.#area = new Float64Array(this.#stride * height + 2)
  }

  /** Adds the inside of a shape. Open contours are closed. */
  fill(contours: readonly Contour[]): void {
    for (const contour of contours) {
      let [at] = contour
      if (at === undefined) continue
      for (const spot of [...contour.slice(1), at]) {
        this.#edge(at, spot)
        at = spot
      }
    }
  }

  /** Adds lines along the contours. */
  stroke(contours: readonly Contour[], width: number, isRound = false): void {
    for (const contour of contours) {
      for (const [index, to] of contour.entries()) {
        const from = contour[index - 1]
        if (from !== undefined) this.fill([segment(from, to, width)])
        if (isRound) this.fill([disc(to, width / 2)])
      }
    }
  }

  /** Returns the covered share of each pixel. */
  shares(rule: FillRule = 'nonzero'): Float32Array {
    const shares = new Float32Array(this.width * this.height)
    let index = 0
    for (let row = 0; row < this.height; row += 1) {
      let sum = 0
      for (let column = 0; column < this.width; column += 1) {
        sum += this.#area[row * this.#stride + column] ?? 0
        const turns = Math.abs(sum)
        const folded = turns % 2 > 1 ? 2 - (turns % 2) : turns % 2
        shares[index] = rule === 'evenodd' ? folded : Math.min(1, turns)
        index += 1
      }
    }
    return shares
  }

  /** Adds the part of an edge that is between the top and the bottom, moved between the sides. */
  #edge(from: Spot, to: Spot): void {
    if (![from.x, from.y, to.x, to.y].every(Number.isFinite)) return
    const cuts = [0, 1, ...this.#crossings(from, to)].filter((t) => t >= 0 && t <= 1)
    cuts.sort((a, b) => a - b)
    const spotAt = (t: number): Spot => ({
      x: Math.min(this.width, Math.max(0, from.x + t * (to.x - from.x))),
      y: Math.min(this.height, Math.max(0, from.y + t * (to.y - from.y))),
    })
    for (const [index, t] of cuts.entries()) {
      const before = cuts[index - 1]
      if (before !== undefined) addEdge(this.#area, this.#stride, spotAt(before), spotAt(t))
    }
  }

  /** Returns where on the line from 0 to 1 it crosses the sides of the image. */
  #crossings(from: Spot, to: Spot): readonly number[] {
    const across = to.x - from.x
    const down = to.y - from.y
    return [
      ...(across === 0 ? [] : [-from.x / across, (this.width - from.x) / across]),
      ...(down === 0 ? [] : [-from.y / down, (this.height - from.y) / down]),
    ]
  }
}

/** Returns a line as a rectangle. All have the same direction, so that they do not cancel out. */
function segment(from: Spot, to: Spot, width: number): Contour {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1
  const across = {
    x: ((to.y - from.y) / length) * (width / 2),
    y: ((from.x - to.x) / length) * (width / 2),
  }
  const at = ({ x, y }: Spot, side: number): Spot => ({
    x: x + side * across.x,
    y: y + side * across.y,
  })
  return [at(from, 1), at(to, 1), at(to, -1), at(from, -1)]
}

/** Returns a circle with the direction of a segment. */
function disc({ x, y }: Spot, radius: number): Contour {
  return Array.from({ length: DISC_SIDES }, (_, side) => {
    const turn = (2 * Math.PI * side) / DISC_SIDES
    return { x: x + radius * Math.cos(turn), y: y + radius * Math.sin(turn) }
  })
}

const DISC_SIDES = 16
