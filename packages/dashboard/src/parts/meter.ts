/** A bar that shows how much of a limit is used, and the projected use at the end of the month. */
import { type Html, type HtmlPart, html } from './html.ts'

type Meter = {
  readonly label: string
  readonly used: number
  readonly expected?: number
  readonly limit: number
}

export function meterBar({ label, used, expected = used, limit }: Meter): Html {
  const share = (value: number) =>
    limit === 0 ? 100 : Number(Math.min(100, (value / limit) * 100).toFixed(1))
  const isOver = expected > limit || share(used) >= WARNING_PERCENT
  return html`
    <svg class="meter${isOver && html` warm`}" viewBox="0 0 100 8" preserveAspectRatio="none" role="img"
      aria-label="${label}: ${Math.round(share(used))}% used">
      <rect class="track" width="100" height="8"/>
      <rect class="forecast" width="${share(expected)}" height="8"/>
      <rect class="fill" width="${share(used)}" height="8"/>
    </svg>
  `
}

/** The share of a limit, in percent, at which the bar becomes a warning. */
const WARNING_PERCENT = 80

const PART_LOOKS = 4

/** Renders a bar with the shares of several parts. The parts after the third share a color. */
export function splitBar(label: string, parts: readonly number[]): HtmlPart {
  const whole = parts.reduce((all, part) => all + part, 0)
  if (whole === 0) return undefined
  let x = 0
  const bars = parts.map((part, index) => {
    const from = x
    x += (part / whole) * 100
    return html`
      <rect class="part-${Math.min(index + 1, PART_LOOKS)}" x="${from.toFixed(2)}"
        width="${((part / whole) * 100).toFixed(2)}" height="8"/>
    `
  })
  return html`
    <svg class="meter split" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}">
      ${bars}
    </svg>
  `
}

/** Renders the color of a part of a split bar. */
export const splitSwatch = (index: number): Html =>
  html`<i class="swatch part-${Math.min(index + 1, PART_LOOKS)}"></i>`
