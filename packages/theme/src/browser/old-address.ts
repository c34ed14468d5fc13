/**
 * Links of other sites name a heading or a field as another tool spelt it: `#fees-&-billing` for
 * `#fees--billing`, or one of the alternatives of a field by its number.
 */
export function followOldAddress(): void {
  const wanted = bare(decode(location.hash).replaceAll(/-(?:one|any)-of-\d+/g, ''))
  const parts = document.querySelectorAll('main [id]')
  const meant = [...parts].find(({ id }) => bare(id) === wanted)
  if (wanted !== '' && meant !== undefined) location.replace(`#${meant.id}`)
}

/** The letters and digits alone. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
