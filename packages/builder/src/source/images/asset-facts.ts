/**
 * The facts that a page needs of a file it refers to: whether it exists, and its display size.
 * Files with the same facts produce the same page, so the facts are part of its key, and the
 * content, which may be large, is never read.
 */
import { type ImageSize, imageSize } from './image-size.ts'

/** Returns undefined for a file that does not exist. */
export type ReadHead = (path: string, lengthMax: number) => Uint8Array | undefined

export type AssetFacts = { readonly pageExists: boolean; readonly size: ImageSize | undefined }

const EXTENSIONS =
  'png|jpe?g|gif|webp|avif|heic|svg|bmp|ico|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|zip|gz|woff2?|ttf|otf|eot|lottie|wasm'
const ASSET = new RegExp(`\\.(?:${EXTENSIONS})$`, 'i')
const ASSET_NAME = new RegExp(`\\.(?:${EXTENSIONS})(?!\\w)`, 'i')
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|heic|svg|bmp)$/i

/** Nearly every image has its size in the first bytes; cameras write a preview before it. */
const HEAD_LENGTHS = [4_096, 1_048_576]

/** True for files that pages only refer to. */
export function isAsset(path: string): boolean {
  return ASSET.test(path)
}

/** False for a text that names no such file. */
export function mentionsAsset(text: string): boolean {
  return ASSET_NAME.test(text)
}

export function readAssetFacts(path: string, readHead: ReadHead): AssetFacts {
  const lengths = PICTURE.test(path) ? HEAD_LENGTHS : [0]
  let pageExists = false
  for (const length of lengths) {
    const bytes = readHead(path, length)
    if (bytes === undefined) break
    pageExists = true
    const size = length === 0 ? undefined : imageSize(bytes)
    if (size !== undefined) return { pageExists, size }
    if (bytes.length < length) break
  }
  return { pageExists, size: undefined }
}

/** Empty if the file does not exist. */
export function printAssetFacts({ pageExists, size }: AssetFacts): string {
  if (!pageExists) return ''
  if (size === undefined) return 'file'
  return `${size.width}x${size.height}${size.isShape ? ' shape' : ''}`
}
