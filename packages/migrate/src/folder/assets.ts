/** Collects the files of the old site that the new one needs. */
import { joinPath } from '@octavo/model'
import type { ForeignFolder } from './foreign-folder.ts'

/** Files that are copied even if no page refers to them, since others link to them. */
const MEDIA =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|mov|mp3|ogg|wav|pdf|woff2?|ttf|otf|zip)$/i
/** Files that Octavo would read as pages. */
const NEVER = /\.(?:mdx?|markdown|html?)$/i
/** Files that Octavo serves as they are. Scripts and stylesheets would be loaded on every page. */
const SERVED =
  /\.(?:png|jpe?g|gif|webp|avif|ico|svg|bmp|mp4|webm|mov|mp3|wav|ogg|m4a|pdf|txt|xml|csv|zip|gz|woff2?|ttf|otf|eot|lottie|wasm)$/i

export class Assets {
  /** The files to copy, by their new path. */
  readonly files = new Map<string, string>()
  readonly #folder: ForeignFolder

  constructor(folder: ForeignFolder) {
    this.#folder = folder
  }

  /**
   * Copies a file of a folder to the same place below the root of the new site. Returns its
   * address, or undefined if it does not exist. A file that Octavo does not serve becomes text,
   * unless it is a specification.
   */
  add(base: string, file: string, isSpecification = false): string | undefined {
    const path = joinPath(base, `./${file}`)
    if (path === undefined || !this.#folder.has(path) || NEVER.test(path)) return undefined
    const isInside = base === '' || path.startsWith(`${base}/`)
    if (!isInside) return undefined
    const plain = file
      .split('/')
      .map((name) => name.replace(/^\.+/, ''))
      .join('/')
    const to = isSpecification || SERVED.test(plain) ? plain : `${plain}.txt`
    this.files.set(to, path)
    return `/${to.split('/').map(encodeURIComponent).join('/')}`
  }

  /** Copies images and other media of a folder. */
  addMedia(base: string): void {
    const prefix = base === '' ? '' : `${base}/`
    for (const file of this.#folder.files) {
      const name = file.slice(prefix.length)
      const isHidden = name.split('/').some((part) => part.startsWith('.'))
      if (file.startsWith(prefix) && MEDIA.test(file) && !isHidden) this.add(base, name)
    }
  }
}
