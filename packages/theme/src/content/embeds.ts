/** Films and frames: what else would jump, stay silent or be nameless. */
import type { Attributes } from '@octavo/content'

/** A film can be started, or starts by itself without a sound; in a frame it also runs on. */
export function videoAttributes(attributes: Attributes, isFramed: boolean): Attributes {
  const added: Record<string, string | true> = {}
  const isMoving = attributes.autoplay !== undefined
  if (isMoving) {
    added.muted = true
    added.playsinline = true
    if (isFramed) added.loop = true
  } else added.controls = true
  if (attributes.preload === undefined && !isMoving) added.preload = 'metadata'
  const { alt, nozoom: _, ...written } = attributes
  if (typeof alt === 'string' && attributes['aria-label'] === undefined) added['aria-label'] = alt
  return { ...added, ...written }
}

const PIXELS = /^(\d{1,4})(?:px)?$/

/** A frame keeps the shape that its author gave it at every width, and has a name. */
export function frameAttributes(attributes: Attributes): Attributes {
  const width = pixels(attributes.width)
  const height = pixels(attributes.height)
  const shape = frameShape(width, height)
  const { style } = attributes
  // What the author says about the look has the last word.
  const look = [shape, style].filter((part) => typeof part === 'string' && part !== '').join('; ')
  return {
    ...attributes,
    ...(look === '' ? {} : { style: look }),
    ...(attributes.title === undefined ? { title: hostOf(attributes.src) } : {}),
  }
}

function pixels(value: string | true | undefined): number | undefined {
  const match = typeof value === 'string' ? PIXELS.exec(value.trim()) : null
  return match === null ? undefined : Number(match[1]) || undefined
}

function frameShape(width: number | undefined, height: number | undefined): string | undefined {
  if (height === undefined) return undefined
  return width === undefined
    ? `aspect-ratio: auto; height: ${height}px`
    : `aspect-ratio: ${width} / ${height}`
}

function hostOf(src: string | true | undefined): string {
  const host = typeof src === 'string' ? /^https?:\/\/([^/?#]+)/i.exec(src)?.[1] : undefined
  return host?.replace(/^www\./, '') ?? 'frame'
}
