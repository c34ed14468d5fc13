/**
 * Parses the path data of an SVG image to contours of straight lines. The data may be hostile: the
 * number of points is limited, and a path with an error ends there, as in browsers.
 */
import type { Spot } from './rasterize.ts'

export type Contour = readonly Spot[]

const POINTS_MAX = 60_000
const CURVE_PIECES = 32
const NUMBER = /[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d{1,3})?)/iy
/** A flag of an arc is one digit, which may be followed directly by the next number. */
const FLAG = /[\s,]*([01])/y
const COMMAND = /[\s,]*([a-z])/iy
const ARGUMENTS: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
  Z: 0,
}

/** Returns undefined if the path has too many points. */
export function parsePath(text: string): readonly Contour[] | undefined {
  const pen = new Pen()
  let at = 0
  let command = ''
  while (at < text.length) {
    COMMAND.lastIndex = at
    const letter = COMMAND.exec(text)?.[1]
    if (letter !== undefined) at = COMMAND.lastIndex
    else if (command === '' || command.toUpperCase() === 'Z') break
    // Further pairs of numbers after a move are lines.
    else if (command === 'M') command = 'L'
    else if (command === 'm') command = 'l'
    if (letter !== undefined) command = letter
    const count = ARGUMENTS[command.toUpperCase()]
    if (count === undefined) break
    const numbers: number[] = []
    for (let index = 0; index < count; index += 1) {
      const isFlag = count === 7 && (index === 3 || index === 4)
      const pattern = isFlag ? FLAG : NUMBER
      pattern.lastIndex = at
      const found = pattern.exec(text)?.[1]
      if (found === undefined) return pen.contours
      numbers.push(Number(found))
      at = pattern.lastIndex
    }
    pen.draw(command, numbers)
    if (pen.count > POINTS_MAX) return undefined
  }
  return pen.contours
}

class Pen {
  readonly contours: Spot[][] = []
  count = 0
  #at: Spot = { x: 0, y: 0 }
  #start: Spot = { x: 0, y: 0 }
  /** The control point of the previous curve, and its command. */
  #control: Spot | undefined
  #curve = ''
  /** True if the next line begins a contour. */
  #isClosed = true

  draw(letter: string, numbers: readonly number[]): void {
    const command = letter.toUpperCase()
    const origin = letter === command ? { x: 0, y: 0 } : this.#at
    const spot = (index: number): Spot => ({
      x: origin.x + (numbers[index] ?? 0),
      y: origin.y + (numbers[index + 1] ?? 0),
    })
    const [first = 0] = numbers
    const before = this.#curve
    this.#curve = command
    switch (command) {
      case 'M':
        this.#start = spot(0)
        this.#at = this.#start
        this.contours.push([this.#at])
        this.#isClosed = false
        break
      case 'L':
        this.#line(spot(0))
        break
      case 'H':
        this.#line({ x: origin.x + first, y: this.#at.y })
        break
      case 'V':
        this.#line({ x: this.#at.x, y: origin.y + first })
        break
      case 'C':
        this.#cubic(spot(0), spot(2), spot(4))
        break
      case 'S':
        this.#cubic(this.#mirrored(/[CS]/.test(before)), spot(0), spot(2))
        break
      case 'Q':
        this.#quadratic(spot(0), spot(2))
        break
      case 'T':
        this.#quadratic(this.#mirrored(/[QT]/.test(before)), spot(0))
        break
      case 'A':
        this.#arc(numbers, spot(5))
        break
      default:
        this.#line(this.#start)
        this.#isClosed = true
    }
  }

  #line(to: Spot): void {
    if (this.#isClosed) this.contours.push([this.#at])
    this.#isClosed = false
    this.contours.at(-1)?.push(to)
    this.count += 1
    this.#at = to
  }

  #mirrored(isCurve: boolean): Spot {
    const { x, y } = this.#at
    const control = isCurve ? this.#control : undefined
    return control === undefined ? { x, y } : { x: 2 * x - control.x, y: 2 * y - control.y }
  }

  #cubic(one: Spot, two: Spot, end: Spot): void {
    const start = this.#at
    for (let piece = 1; piece <= CURVE_PIECES; piece += 1) {
      const t = piece / CURVE_PIECES
      const s = 1 - t
      const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t]
      this.#line({
        x: a * start.x + b * one.x + c * two.x + d * end.x,
        y: a * start.y + b * one.y + c * two.y + d * end.y,
      })
    }
    this.#control = two
  }

  #quadratic(control: Spot, end: Spot): void {
    const { x, y } = this.#at
    const toward = (from: Spot): Spot => ({
      x: from.x + (2 / 3) * (control.x - from.x),
      y: from.y + (2 / 3) * (control.y - from.y),
    })
    this.#cubic(toward({ x, y }), toward(end), end)
    this.#control = control
  }

  /** Converts an arc from its end points to its center, as the SVG specification describes. */
  #arc([rx = 0, ry = 0, degrees = 0, large = 0, sweep = 0]: readonly number[], end: Spot): void {
    const start = this.#at
    const turn = (degrees * Math.PI) / 180
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    const half = { x: (start.x - end.x) / 2, y: (start.y - end.y) / 2 }
    const x = cos * half.x + sin * half.y
    const y = cos * half.y - sin * half.x
    let [a, b] = [Math.abs(rx), Math.abs(ry)]
    if (a === 0 || b === 0 || (x === 0 && y === 0)) {
      this.#line(end)
      return
    }
    const excess = Math.max(1, Math.hypot(x / a, y / b))
    a *= excess
    b *= excess
    const inside = Math.max(0, (a * b) ** 2 - (a * y) ** 2 - (b * x) ** 2)
    const factor = (large === sweep ? -1 : 1) * Math.sqrt(inside / ((a * y) ** 2 + (b * x) ** 2))
    const center = { x: (factor * a * y) / b, y: (-factor * b * x) / a }
    const from = Math.atan2((y - center.y) / b, (x - center.x) / a)
    const to = Math.atan2((-y - center.y) / b, (-x - center.x) / a)
    let angle = to - from
    if (sweep === 1 && angle < 0) angle += 2 * Math.PI
    if (sweep === 0 && angle > 0) angle -= 2 * Math.PI
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }
    for (let piece = 1; piece <= 2 * CURVE_PIECES; piece += 1) {
      const at = from + (angle * piece) / (2 * CURVE_PIECES)
      const [u, v] = [center.x + a * Math.cos(at), center.y + b * Math.sin(at)]
      this.#line({ x: middle.x + cos * u - sin * v, y: middle.y + sin * u + cos * v })
    }
  }
}
