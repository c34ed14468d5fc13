import { type Access, type AccessRange, accessKey, givesAccess, isLabel } from '@octavo/model'

/** A text of which not all readers see every line. */
export class LabelledText {
  readonly #access: Access
  readonly #ranges: AccessRange[] = []
  #text = ''
  #size = 0

  /** `access` says who may read the text at all. */
  constructor(access: Access) {
    this.#access = access
  }

  /** Adds a part that everybody sees who may read the text, unless it says otherwise. */
  add(part: string, access: Access = this.#access): void {
    const start = this.#size
    this.#text += part
    this.#size += Buffer.byteLength(part)
    if (part === '' || this.#isSeenByAll(access)) return
    const last = this.#ranges.at(-1)
    const isSame = last?.end === start && accessKey(last.access) === accessKey(access)
    if (isSame) this.#ranges.pop()
    this.#ranges.push({ start: isSame ? last.start : start, end: this.#size, access })
  }

  done(): { readonly text: string; readonly ranges: readonly AccessRange[] } {
    return { text: this.#text, ranges: this.#ranges }
  }

  #isSeenByAll(access: Access): boolean {
    if (accessKey(access) === accessKey(this.#access)) return true
    return isLabel(this.#access) && givesAccess(this.#access, access)
  }
}
