export type FontFile = {
  /** The name of the font family in docs.json. */
  readonly family: string
  readonly bytes: Uint8Array
  readonly format: 'woff' | 'woff2'
  /** Such as `400`, or `100 900` for a variable font; undefined if unknown. */
  readonly weight: string | undefined
  readonly style: 'normal' | 'italic'
  /** The `unicode-range` in CSS; undefined for all characters. */
  readonly range: string | undefined
  /**
   * True for the file that every page needs. Other files are loaded only for the characters that
   * they contain.
   */
  readonly isMain: boolean
}

/** Detects the format from the content, regardless of the file name and content type. */
export function fontFormat(bytes: Uint8Array): FontFile['format'] | undefined {
  const mark = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(4, bytes.length)).toString(
    'latin1',
  )
  if (mark === 'wOF2') return 'woff2'
  return mark === 'wOFF' ? 'woff' : undefined
}
