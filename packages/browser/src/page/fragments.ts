/** Loads parts of a specification on demand. Each file is loaded only once. */
import { fragmentBucket } from '@octavo/theme/browser'

export class Fragments {
  readonly #folder: string
  readonly #count: number
  readonly #files = new Map<number, Promise<Readonly<Record<string, unknown>>>>()

  constructor(place: { readonly folder: string; readonly count: number }) {
    this.#folder = place.folder
    this.#count = Math.max(1, place.count)
  }

  static of({ dataset: { folder = '', count = '1', inline } }: HTMLElement): Fragments {
    const fragments = new Fragments({ folder, count: Number(count) })
    if (inline !== undefined) fragments.#files.set(0, Promise.resolve(JSON.parse(inline)))
    return fragments
  }

  async load(key: string): Promise<unknown> {
    const bucket = fragmentBucket(key, this.#count)
    const file = this.#files.get(bucket) ?? this.#fetch(bucket)
    this.#files.set(bucket, file)
    const parts = await file
    return Object.hasOwn(parts, key) ? parts[key] : undefined
  }

  async #fetch(bucket: number): Promise<Readonly<Record<string, unknown>>> {
    const answer = await fetch(`${this.#folder}/${bucket}.json`)
    if (!answer.ok) throw new Error(String(answer.status))
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
}
