import { type Access, type AccessRange, accessKey, grantsAccess, isLabel } from '@octavo/model'

/** Text with parts that only some readers may see. */
export class LabelledText {
  readonly #access: Access
  readonly #ranges: AccessRange[] = []
  #text = ''
  #size = 0

  /** `access` determines who may read the text at all. */
  constructor(access: Access) {
    this.#access = access
  }

  /** Adds a part that all readers of the text may see, unless `access` restricts it. */
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
    return isLabel(this.#access) && grantsAccess(this.#access, access)
  }
}
