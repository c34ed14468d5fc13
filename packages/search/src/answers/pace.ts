/** Yields to other tasks; resolves when this task may continue. */
export type Pause = () => Promise<void>

/** Pauses a long task each time it has read a given number of characters. */
export class Pace {
  readonly #pause: Pause | undefined
  readonly #lengthMax: number
  #length = 0

  constructor(pause: Pause | undefined, lengthMax: number) {
    this.#pause = pause
    this.#lengthMax = lengthMax
  }

  async after(length: number): Promise<void> {
    this.#length += length
    if (this.#pause === undefined || this.#length < this.#lengthMax) return
    this.#length = 0
    await this.#pause()
  }
}
