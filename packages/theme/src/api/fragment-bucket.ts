/**
 * Returns the file that contains a part of a specification. The parts are spread over `count` files
 * by the hash of their names, so no index is needed: a page only has to know the count.
 */
export function fragmentBucket(key: string, count: number): number {
  // FNV-1a is short and returns the same number in every browser.
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0) % count
}
