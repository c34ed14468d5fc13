/**
 * Line drawings for tiles, in the colors of the site. The stylesheet draws shapes as outlines, and
 * those of the group `oct-art-focus` in the primary color.
 */

const page = (x: number, y: number, width: number) =>
  `<rect x="${x}" y="${y}" width="${width}" height="160" rx="8"/>`

const text = (path: string) => `<path class="oct-art-line" d="${path}"/>`

const focus = (shapes: string) => `<g class="oct-art-focus">${shapes}</g>`

const DRAWINGS = {
  /** A page, and a paragraph of it that is being edited. */
  write:
    page(52, 28, 146) +
    text('M68 50h52M68 66h100M68 80h84M68 134h92') +
    focus(
      `<rect x="112" y="70" width="116" height="52" rx="8"/>${text('M126 88h56M126 104h34M170 97v14')}<path d="m236 72-30 30-11 3 3-11 30-30z"/>`,
    ),
  /** Windows behind each other, the last one on its way. */
  publish:
    page(96, 20, 140) +
    page(74, 38, 146) +
    page(52, 56, 150) +
    text(
      'M52 78h150M64 67h.01M73 67h.01M82 67h.01M68 98h28M68 112h20M112 98h66M112 112h48M112 126h58',
    ) +
    focus(`<circle cx="206" cy="96" r="26"/>${text('M206 108V85M195 95l11-11 11 11')}`),
  /** A question, and an answer with its sources. */
  answer:
    `<rect x="124" y="22" width="112" height="34" rx="15"/>` +
    text('M142 39h60M214 39h4M216 96c18 0 20-16 32-16M216 114c18 0 20 16 32 16') +
    `<circle cx="253" cy="80" r="5"/><circle cx="253" cy="130" r="5"/>` +
    focus(
      `<rect x="44" y="72" width="172" height="104" rx="10"/>${text('M60 94h98M60 110h74M60 126h110')}<rect x="168" y="86" width="16" height="16" rx="4"/><rect x="144" y="102" width="16" height="16" rx="4"/>`,
    ),
  /** A list of which every line is right. */
  check:
    page(48, 28, 158) +
    text('M48 52h158M64 40h34M90 74h62M90 96h80M90 118h46') +
    `<g class="oct-art-marks">${text('m64 74 5 5 8-9M64 96l5 5 8-9M64 118l5 5 8-9')}</g>` +
    focus(`<circle cx="206" cy="98" r="29"/>${text('m194 98 9 9 16-18')}`),
  /** A request and its response. */
  api:
    `<rect x="40" y="30" width="120" height="76" rx="8"/>` +
    text('M58 50h22M92 50h50M58 68h66M58 84h48M100 106v24q0 8 8 8h10') +
    focus(
      `<rect x="126" y="62" width="114" height="104" rx="8"/>${text('M150 82q-8 0-8 8v8q0 6-5 6 5 0 5 6v8q0 8 8 8M216 82q8 0 8 8v8q0 6 5 6-5 0-5 6v8q0 8-8 8M160 96h44M160 112h30')}`,
    ),
  /** Machines, one of them in use. */
  server:
    `<rect x="60" y="28" width="160" height="36" rx="8"/>` +
    text('M78 46h.01M90 46h.01M132 46h68') +
    focus(
      `<rect x="48" y="72" width="184" height="40" rx="8"/>${text('M68 92h.01M81 92h.01M128 92h80')}`,
    ) +
    `<rect x="60" y="120" width="160" height="46" rx="8"/>` +
    text('M78 138h.01M90 138h.01M132 138h68'),
} as const

export type TileArt = keyof typeof DRAWINGS

export function isTileArt(name: string | undefined): name is TileArt {
  return name !== undefined && Object.hasOwn(DRAWINGS, name)
}

export function drawTileArt(name: TileArt): string {
  return `<svg class="oct-art" viewBox="0 0 280 150" aria-hidden="true">${DRAWINGS[name]}</svg>`
}
