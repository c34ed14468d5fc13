/**
 * Text without what could turn the direction of writing, steer a terminal, or hide words in characters
 * that nobody sees. Lines, tabs, accents and joined emoji stay.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

export function cleanText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(HIDDEN, '')
}
