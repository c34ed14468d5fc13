/** Transformations of SVG elements as matrices. */
import type { Spot } from './rasterize.ts'

/** In the order of `matrix(a b c d e f)`. */
export type Matrix = readonly [number, number, number, number, number, number]

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]
const TRANSFORM = /(matrix|translate|scale|rotate|skewX|skewY)\s*\(([^)]*)\)/g

export function parseTransform(text = ''): Matrix {
  let matrix = IDENTITY
  for (const [, name = '', written = ''] of text.matchAll(TRANSFORM)) {
    const numbers = written
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    matrix = multiply(matrix, matrixOf(name, numbers))
  }
  return matrix
}

function matrixOf(name: string, numbers: readonly number[]): Matrix {
  const [a = 0, b, c = 0, d = 0, e = 0, f = 0] = numbers
  switch (name) {
    case 'matrix':
      return [a, b ?? 0, c, d, e, f]
    case 'translate':
      return [1, 0, 0, 1, a, b ?? 0]
    case 'scale':
      return [a, 0, 0, b ?? a, 0, 0]
    case 'rotate': {
      const turn = (a * Math.PI) / 180
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
      const [x, y] = [b ?? 0, c]
      return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y]
    }
    case 'skewX':
      return [1, 0, Math.tan((a * Math.PI) / 180), 1, 0, 0]
    default:
      return [1, Math.tan((a * Math.PI) / 180), 0, 1, 0, 0]
  }
}

/** Returns the matrix that applies the second one first. */
export function multiply([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ]
}

export function place({ x, y }: Spot, [a, b, c, d, e, f]: Matrix): Spot {
  return { x: a * x + c * y + e, y: b * x + d * y + f }
}
