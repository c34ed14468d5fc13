/** Lists the request samples that the pages of a site show. */
import type { AccessLabel, Place } from '@octavo/model'
import {
  frameData,
  listedMethod,
  listOperations,
  type Operation,
  OperationPages,
  type RequestSample,
  requestSamples,
  type ServerData,
  type SharedPart,
  SharedParts,
  type Specification,
  serversOf,
} from '@octavo/openapi'
import type { LoadedSite } from '../load/load-site.ts'
import { planPages } from '../plan/plan-pages.ts'
import { apiSettings } from './api-settings.ts'

/** The samples of one operation, on the pages that show it. */
export type OperationSamples = {
  readonly specification: Specification
  readonly operation: Operation
  readonly place: Place
  readonly servers: readonly ServerData[]
  readonly samples: readonly RequestSample[]
  readonly pages: readonly { readonly path: string; readonly access: AccessLabel }[]
}

export function readSiteSamples(site: LoadedSite): readonly OperationSamples[] {
  const shown = planPages(site).flatMap(({ path, access, backing }) => {
    const specification = backing && site.specification(backing.source)
    if (backing?.kind !== 'operation' || specification === undefined) return []
    const { method, path: template } = backing.listing
    return [{ specification, name: `${method} ${template}`, page: { path, access } }]
  })
  return [...Map.groupBy(shown, ({ specification }) => specification)].flatMap(
    ([specification, pages]) => {
      const reader = new SampleReader(specification, site)
      return [...Map.groupBy(pages, ({ name }) => name)].flatMap(([name, same]) => {
        const found = reader.read(name)
        return found === undefined ? [] : [{ ...found, pages: same.map(({ page }) => page) }]
      })
    },
  )
}

class SampleReader {
  readonly #specification: Specification
  readonly #settings: ReturnType<typeof apiSettings>
  readonly #pages: OperationPages
  readonly #frame: ReturnType<typeof frameData>
  readonly #parts: SharedParts
  readonly #known = new Map<string, SharedPart | undefined>()
  readonly #operations: ReadonlyMap<string, Operation>

  constructor(specification: Specification, { config }: Pick<LoadedSite, 'config'>) {
    const options = { pillFields: [] }
    this.#specification = specification
    this.#settings = apiSettings(config.api)
    this.#pages = new OperationPages(specification, options)
    this.#parts = new SharedParts(specification, options)
    this.#frame = frameData(specification)
    this.#operations = new Map(
      listOperations(specification)
        .filter(({ kind }) => kind === 'operation')
        .map((operation) => [`${listedMethod(operation)} ${operation.path}`, operation]),
    )
  }

  read(name: string): Omit<OperationSamples, 'pages'> | undefined {
    const operation = this.#operations.get(name)
    if (operation === undefined) return undefined
    const specification = this.#specification
    const context = { frame: this.#frame, part: (ref: string) => this.#part(ref) }
    const page = this.#pages.page(operation)
    return {
      specification,
      operation,
      place: specification.document.place(operation.node),
      servers: serversOf(page, context),
      samples: requestSamples(page, context, this.#settings),
    }
  }

  #part(ref: string): SharedPart | undefined {
    if (!this.#known.has(ref)) this.#known.set(ref, this.#parts.part(ref))
    return this.#known.get(ref)
  }
}
