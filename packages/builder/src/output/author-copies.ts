/**
 * Copies the authors' stylesheets and scripts under names that contain a hash. Pages load these
 * copies, so a page of one deployment never gets the stylesheet of the next one. A copy is in the
 * same folder as its original, so that relative URLs still work.
 */
import { basename } from 'node:path'
import { hashFile } from '../source/hash-bytes.ts'
import { type AssetsInput, basedStyles } from './assets.ts'

const HASH_LENGTH = 12
const ENDING = /\.(?:css|js)$/

/** Returns the path of the copy for each file. */
export function writeAuthorCopies(
  {
    tree,
    output,
    basePath,
    accessOfAll,
  }: Pick<AssetsInput, 'tree' | 'output' | 'basePath' | 'accessOfAll'>,
  files: readonly string[],
): ReadonlyMap<string, string> {
  const own = files.filter((file) => ENDING.test(file))
  const texts = new Map(own.map((file) => [file, tree.read(file) ?? '']))
  const copies = new Map<string, string>()
  for (const file of own) {
    // A module that another file imports would run twice if pages loaded it under another name.
    const name = basename(file)
    if (own.some((other) => other !== file && texts.get(other)?.includes(name))) continue
    const based = file.endsWith('.css') ? basedStyles(tree, file, basePath) : undefined
    const bytes = based ?? tree.readBytes(file)
    if (bytes === undefined) continue
    const ending = ENDING.exec(file)?.[0] ?? ''
    const hash = hashFile(bytes).slice(0, HASH_LENGTH)
    const path = `${file.slice(0, -ending.length)}-${hash}${ending}`
    output.write(path, bytes, { access: accessOfAll })
    copies.set(file, path)
  }
  return copies
}
