import { type Access, type AccessRange, accessKey, grantsAccess, isLabel } from '@octavo/model'

/** A text in which some parts are visible only to some readers. */
export class LabelledText {
  readonly #access: Access
  readonly #ranges: AccessRange[] = []
  #text = ''
  #size = 0

  /** `access` is the access to the text as a whole. */
  constructor(access: Access) {
    this.#access = access
  }

  /** Adds a part that all readers of the text can see, unless `access` is given. */
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
