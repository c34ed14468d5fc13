/** Opens a specification and prepares the data that its pages share. */
import {
  frameData,
  listedMethod,
  listOperations,
  type Operation,
  OperationPages,
  type PageContext,
  type SharedPart,
  SharedParts,
  type Specification,
} from '@octavo/openapi'
import type { FragmentPlace } from '@octavo/theme'
import { OWN_FOLDER } from '../plan/own-folder.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import type { SpecificationTexts } from './specification-texts.ts'

/** Number of characters of the specification for each fragment file. */
const CHARACTERS_PER_FILE = 24_000
const FILES_MAX = 512

export type OpenInput = {
  readonly specification: Specification
  readonly texts: SpecificationTexts
  readonly pillFields: readonly string[]
  /** All other settings that affect the output. */
  readonly settings: string
}

export class OpenedSpecification {
  readonly specification: Specification
  readonly texts: SpecificationTexts
  readonly pages: OperationPages
  readonly parts: SharedParts
  readonly context: PageContext
  readonly hash: string
  readonly fragments: FragmentPlace
  readonly #operations = new Map<string, Operation>()

  constructor({ specification, texts, pillFields, settings }: OpenInput) {
    const options = { pillFields }
    this.specification = specification
    this.texts = texts
    this.pages = new OperationPages(specification, options)
    this.parts = new SharedParts(specification, options)
    const known = new Map<string, SharedPart | undefined>()
    const part = (ref: string) => {
      if (!known.has(ref)) known.set(ref, this.parts.part(ref))
      return known.get(ref)
    }
    const requestSample = (ref: string) => this.parts.requestSample(ref)
    this.context = { frame: frameData(specification), part, requestSample }
    const { text, file, texts: files } = specification
    this.hash = hashBytes(...[...files].flat(), JSON.stringify(pillFields), settings)
    const count = Math.min(FILES_MAX, Math.ceil(text.length / CHARACTERS_PER_FILE))
    const folder = hashBytes(this.hash, file).slice(0, 12)
    this.fragments = { folder: `/${OWN_FOLDER}/api/${folder}`, count }
    for (const operation of listOperations(specification)) {
      this.#operations.set(`${listedMethod(operation)} ${operation.path}`, operation)
    }
  }

  find(method: string, path: string): Operation | undefined {
    return this.#operations.get(`${method} ${path}`)
  }
}
