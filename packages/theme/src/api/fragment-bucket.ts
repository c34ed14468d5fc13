/**
 * The rest of a specification is spread over a number of files. Which file has what follows from the
 * name alone, so nobody needs an index: the page knows the number, and that is all.
 */
export function fragmentBucket(key: string, count: number): number {
  // FNV-1a: short, and the same in every browser.
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) % count
}
