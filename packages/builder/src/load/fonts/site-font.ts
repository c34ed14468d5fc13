/** A font file of the site. */
export type FontFile = {
  /** The name in docs.json. */
  readonly family: string
  readonly bytes: Uint8Array
  readonly format: 'woff' | 'woff2'
  /** `400`, or `100 900` for a variable font; undefined if unknown. */
  readonly weight: string | undefined
  readonly style: 'normal' | 'italic'
  /** The `unicode-range` in CSS; undefined for all characters. */
  readonly range: string | undefined
  /** True if every page needs it: other files are loaded only for the characters they contain. */
  readonly isMain: boolean
}

/** Detects the format by content, independent of the file name and content type. */
export function fontFormat(bytes: Uint8Array): FontFile['format'] | undefined {
  const mark = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).toString(
    'latin1',
  )
  if (mark === 'wOF2') return 'woff2'
  return mark === 'wOFF' ? 'woff' : undefined
}
