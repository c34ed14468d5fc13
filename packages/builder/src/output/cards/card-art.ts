/** Draws the background of a card: the pattern of the site's theme, and a glow behind it. */
import { artPaths, type HeroArt, type LookName } from '@octavo/theme'
import { Coverage } from './coverage.ts'
import { type Contour, parsePath } from './svg-path.ts'

export type CardArt = { readonly look: LookName; readonly seed: string }

type Size = { readonly width: number; readonly height: number }

const ART_OF: Readonly<Record<LookName, HeroArt>> = {
  mint: 'leaves',
  maple: 'grid',
  almond: 'flow',
  linden: 'grid',
  willow: 'flow',
}
/** Where the drawing of 1440 by 600 is on a card. */
const PLACES: Readonly<Record<HeroArt, { scale: number; x: number; y: number }>> = {
  leaves: { scale: 0.95, x: -85, y: 40 },
  flow: { scale: 1.1, x: -384, y: -8 },
  grid: { scale: 1.1, x: -384, y: -8 },
}
const LINE_WIDTH = 1.2
const LINE_SHARE: Readonly<Record<HeroArt, number>> = { leaves: 0.6, flow: 0.5, grid: 0.16 }
const FILL_SHARE: Readonly<Record<HeroArt, number>> = { leaves: 0.04, flow: 0, grid: 0.14 }
const GLOW_SHARE = 0.2

/** Returns the share of the primary color in each pixel, row by row. */
export function drawArt({ look, seed }: CardArt, { width, height }: Size): Float32Array {
  const art = ART_OF[look]
  const { fills, lines } = artPaths(art, seed)
  // Its leaves would cover each other's gaps, so each is a shape of its own.
  const fill = new Coverage(width, height)
  for (const path of fills) fill.fill(placed(path, art))
  const filled = fill.shares()
  const lined = new Float32Array(width * height)
  for (const { path, opacity } of lines) {
    const line = new Coverage(width, height)
    line.stroke(
      art === 'leaves' ? placed(path, art).filter(isShown) : placed(path, art),
      LINE_WIDTH,
    )
    const own = line.shares()
    for (let index = 0; index < own.length; index += 1) {
      const share = (own[index] ?? 0) * opacity
      if (share > (lined[index] ?? 0)) lined[index] = share
    }
  }
  const shares = new Float32Array(width * height)
  for (let index = 0; index < shares.length; index += 1) {
    const x = (index % width) / width
    const y = Math.floor(index / width) / height
    const shown = visibleShare(x, y) * (art === 'leaves' ? nearSpine(x, y) : 1)
    const line = (lined[index] ?? 0) * LINE_SHARE[art] * shown
    const gap = (filled[index] ?? 0) * FILL_SHARE[art] * shown
    shares[index] = 1 - (1 - line) * (1 - gap) * (1 - glowAt(x, y))
  }
  return shares
}

/** The drawing fades out behind the text, which takes the left half. */
function visibleShare(x: number, y: number): number {
  return Math.min(1, Math.max(0, (x + 0.1 * y - 0.55) / 0.4))
}

/** Leaves fade out with the distance from the spine at which they begin. */
function nearSpine(x: number, y: number): number {
  return Math.max(0, 1 - Math.hypot(x - 0.83, (y - 1.3) * 0.525) / 0.84)
}

function glowAt(x: number, y: number): number {
  const distance = Math.hypot((x - 0.92) / 0.75, (y - 1.12) / 0.89) / 0.72
  return GLOW_SHARE * Math.max(0, 1 - distance)
}

/** A card has every second leaf, so that its file stays small. */
function isShown(_: Contour, index: number): boolean {
  return index % 2 === 0
}

function placed(path: string, art: HeroArt): readonly Contour[] {
  const { scale, x, y } = PLACES[art]
  return (parsePath(path) ?? []).map((contour) =>
    contour.map((spot) => ({ x: spot.x * scale + x, y: spot.y * scale + y })),
  )
}
