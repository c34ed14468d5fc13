/**
 * Draws the background of a hero in the site's primary color. The drawing is part of the page, so
 * it needs no request, and the same seed always gives the same drawing.
 */

const WIDTH = 1440
const HEIGHT = 600

export type HeroArt = 'leaves' | 'flow' | 'grid'

/** The paths of a drawing in a box of 1440 by 600, to be filled or stroked in the primary color. */
export type ArtPaths = {
  readonly fills: readonly string[]
  readonly lines: readonly { readonly path: string; readonly opacity: number }[]
}

const DRAWINGS: Readonly<Record<HeroArt, (random: () => number) => ArtPaths>> = {
  leaves: drawLeaves,
  flow: drawFlow,
  grid: drawGrid,
}

export function isHeroArt(name: string): name is HeroArt {
  return Object.hasOwn(DRAWINGS, name)
}

export function drawHeroArt(art: HeroArt, seed: string): string {
  return `<svg class="oct-hero-art oct-hero-${art}" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMaxYMax slice" aria-hidden="true">${printArt(art, artPaths(art, seed))}</svg>`
}

export function artPaths(art: HeroArt, seed: string): ArtPaths {
  return DRAWINGS[art](createRandom(seed))
}

function printArt(art: HeroArt, { fills, lines }: ArtPaths): string {
  const [line = { path: '' }] = lines
  switch (art) {
    case 'leaves': {
      const gaps = fills.map((path) => `<path d="${path}"/>`).join('')
      return `<g class="oct-hero-fill">${gaps}</g><path class="oct-hero-line" d="${line.path}"/>`
    }
    case 'flow': {
      const rows = lines.map(({ path, opacity }) => `<path opacity="${opacity}" d="${path}"/>`)
      return `<g class="oct-hero-line" stroke-linejoin="round">${rows.join('')}</g>`
    }
    case 'grid':
      return `<path class="oct-hero-fill oct-hero-lit" d="${fills.join('')}"/><path class="oct-hero-line oct-hero-faint" d="${line.path}"/>`
  }
}

/** Pages that fan out of the spine of an open book. */
function drawLeaves(random: () => number): ArtPaths {
  const spine = 1_100 + Math.round(random() * 60)
  const count = 17
  const curves = Array.from({ length: 2 * count }, (_, index) => {
    // From -1 at the leftmost page to 1 at the rightmost one.
    const turn = (index + 0.5 - count) / count
    const end = { x: spine + turn * 960, y: -200 + 720 * Math.abs(turn) ** 2.4 }
    const first = { x: spine + turn * 36, y: 330 }
    const second = { x: spine + turn * 500, y: -120 + 330 * turn * turn }
    return { first, second, end }
  })
  const start = `${spine} 820`
  const path = (index: number) => {
    const curve = curves[index]
    if (curve === undefined) return ''
    return `C${[curve.first, curve.second, curve.end].map(({ x, y }) => `${round(x)} ${round(y)}`).join(' ')}`
  }
  const fills = curves.flatMap((_, index) => {
    const next = curves[index + 1]
    if (index % 2 === 1 || next === undefined) return []
    const { first, second, end } = next
    const back = `L${round(end.x)} ${round(end.y)}C${[second, first].map(({ x, y }) => `${round(x)} ${round(y)}`).join(' ')} ${start}`
    return [`M${start}${path(index)}${back}`]
  })
  const lines = curves.map((_, index) => `M${start}${path(index)}`).join('')
  return { fills, lines: [{ path: lines, opacity: 1 }] }
}

/** Lines like the surface of slow water. */
function drawFlow(random: () => number): ArtPaths {
  const phase = random() * 6
  const lines = Array.from({ length: 30 }, (_, row) => {
    const points = Array.from({ length: 13 }, (_, step) => {
      const x = step * 120
      const y = row * 21 + 14 * Math.sin(x / 210 + row / 4 + phase) + 9 * Math.sin(x / 90 + row / 2)
      return `${round(x)} ${round(y)}`
    })
    const [start, ...rest] = points
    const path = `M${start}${rest.map((point) => `L${point}`).join('')}`
    return { path, opacity: round(0.25 + (row / 30) * 0.75) }
  })
  return { fills: [], lines }
}

/** A grid of which a few cells are lit. */
function drawGrid(random: () => number): ArtPaths {
  const cell = 40
  const lit = Array.from({ length: 34 }, () => {
    const x = cell * Math.floor((0.4 + 0.6 * random()) * (WIDTH / cell))
    const y = cell * Math.floor(random() * (HEIGHT / cell))
    return `M${x} ${y}h${cell}v${cell}h-${cell}z`
  })
  const columns = Array.from({ length: WIDTH / cell + 1 }, (_, at) => `M${at * cell} 0V${HEIGHT}`)
  const rows = Array.from({ length: HEIGHT / cell + 1 }, (_, at) => `M0 ${at * cell}H${WIDTH}`)
  const lines = [{ path: [...columns, ...rows].join(''), opacity: 1 }]
  return { fills: [lit.join('')], lines }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Returns numbers from 0 to 1 that follow from the seed. */
function createRandom(seed: string): () => number {
  let state = 2_166_136_261
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507)
    state = Math.imul(state ^ (state >>> 13), 3_266_489_909)
    return ((state ^ (state >>> 16)) >>> 0) / 2 ** 32
  }
}
