/**
 * Reads the facts that a page needs about a file to which it refers: whether the file exists, and
 * its display size. Files with the same facts result in the same page, so only the facts are part
 * of the page's key. The content, which may be large, is not read completely.
 */
import { type ImageSize, imageSize } from './image-size.ts'

/** Returns the first bytes of a file, or undefined if it does not exist. */
export type ReadHead = (path: string, lengthMax: number) => Uint8Array | undefined

export type AssetFacts = { readonly exists: boolean; readonly size: ImageSize | undefined }

const EXTENSIONS =
  'png|jpe?g|gif|webp|avif|heic|svg|bmp|ico|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|zip|gz|woff2?|ttf|otf|eot|lottie|wasm'
const ASSET = new RegExp(`\\.(?:${EXTENSIONS})$`, 'i')
const ASSET_NAME = new RegExp(`\\.(?:${EXTENSIONS})(?!\\w)`, 'i')
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|heic|svg|bmp)$/i

/**
 * Numbers of bytes to try: nearly every image has its size in the first bytes, but cameras write a
 * preview before it.
 */
const HEAD_LENGTHS = [4_096, 1_048_576]

/** Checks whether a file is an asset: pages refer to it but do not include its content. */
export function isAsset(path: string): boolean {
  return ASSET.test(path)
}

/** Returns false if the text cannot contain the name of an asset. */
export function mentionsAsset(text: string): boolean {
  return ASSET_NAME.test(text)
}

export function readAssetFacts(path: string, readHead: ReadHead): AssetFacts {
  const lengths = PICTURE.test(path) ? HEAD_LENGTHS : [0]
  let exists = false
  for (const length of lengths) {
    const bytes = readHead(path, length)
    if (bytes === undefined) break
    exists = true
    const size = length === 0 ? undefined : imageSize(bytes)
    if (size !== undefined) return { exists, size }
    if (bytes.length < length) break
  }
  return { exists, size: undefined }
}

/** Returns an empty string if the file does not exist. */
export function printAssetFacts({ exists, size }: AssetFacts): string {
  if (!exists) return ''
  if (size === undefined) return 'file'
  return `${size.width}x${size.height}${size.isShape ? ' shape' : ''}`
}
