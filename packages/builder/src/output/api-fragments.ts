/**
 * Writes the parts of API pages that are loaded on demand: a file for the playground of each
 * operation, and every part of a specification, as HTML for deeper levels of schemas and as data
 * for the playground. A part is written once, into one of several files of medium size, which
 * `fragmentBucket` selects.
 */
import type { AccessLabel, PageBacking } from '@octavo/model'
import { type OperationPage, type SchemaData, schemaPointer } from '@octavo/openapi'
import { type BasePath, fragmentBucket } from '@octavo/theme'
import type { PlaygroundSettings } from '../compile/api-settings.ts'
import type { OpenedSpecification } from '../compile/opened-specification.ts'
import { hashBytes } from '../source/hash-bytes.ts'
import { frameOf, partData, printOperationFile } from './playground-data.ts'
import type { SiteOutput } from './site-output.ts'

/** The entry with what all operations share. */
const FRAME = 'frame'

export type FragmentSource = {
  readonly opened: OpenedSpecification
  /** The folder from which pages with this label load the fragments. */
  readonly folder: string
  readonly access: AccessLabel
  /**
   * The operations and schemas that pages with this label show; undefined if all parts have the
   * same readers.
   */
  readonly shown: readonly PageBacking[] | undefined
  /** The pages with a playground, by the file of its data. */
  readonly playgrounds: ReadonlyMap<string, OperationPage>
  readonly key: string
  readonly settings: PlaygroundSettings
  /** Must be called before the first HTML is rendered. */
  readonly prepare: () => Promise<void>
  /** Returns the fields of a schema as HTML. */
  readonly html: (schema: SchemaData) => string
}

export async function writeFragments(
  output: SiteOutput,
  sources: readonly FragmentSource[],
  basePath: BasePath,
): Promise<void> {
  for (const source of sources) {
    const { folder, access, shown } = source
    for (const [path, page] of source.playgrounds) {
      const file = path.slice(1)
      const facts = { key: source.key, access }
      if (output.keep(file, facts)) continue
      output.write(file, printOperationFile(page, source.opened, source.settings), facts)
    }
    const { count } = source.opened.fragments
    const files = Array.from({ length: count }, (_, index) => `${folder.slice(1)}/${index}.json`)
    const key = hashBytes(
      source.key,
      basePath.path,
      shown === undefined ? '' : JSON.stringify(shown),
    )
    const facts = { key, access }
    if (files.every((file) => output.keep(file, facts))) continue
    await source.prepare()
    const buckets = files.map((): string[] => [])
    const isShown = shown === undefined ? () => true : reachableEntries(source.opened, shown)
    for (const [name, value] of entriesOf(source, basePath)) {
      if (!isShown(name)) continue
      buckets[fragmentBucket(name, count)]?.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
    }
    for (const [index, file] of files.entries()) {
      output.write(file, `{${buckets[index]?.join(',\n') ?? ''}}\n`, facts)
    }
  }
}

/**
 * Returns a filter for the entries that the given operations and schemas need, including what they
 * refer to.
 */
function reachableEntries(
  opened: OpenedSpecification,
  shown: readonly PageBacking[],
): (name: string) => boolean {
  const refs = new Set<string>()
  // Every string that looks like a reference counts, because an unneeded part does no harm.
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith('#')) refs.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect)
  }
  for (const backing of shown) {
    if (backing.kind === 'schema') {
      refs.add(schemaPointer(backing.name))
      continue
    }
    const { method, path } = backing.listing
    const operation = opened.find(method, path)
    if (operation === undefined) continue
    collect(opened.pages.page(operation))
  }
  // The set grows during the iteration until it contains everything that can be reached.
  for (const ref of refs) collect(opened.context.part(ref))
  return (name) => name === FRAME || refs.has(name.replace(/^html /, ''))
}

function* entriesOf(
  { opened, html }: FragmentSource,
  basePath: BasePath,
): Iterable<[string, unknown]> {
  yield [FRAME, frameOf(opened)]
  for (const part of opened.parts.all()) {
    const data = partData(part, { hasSample: true })
    if (data !== undefined) yield [part.ref, data]
    if (part.kind === 'schema') yield [`html ${part.ref}`, basePath.html(html(part.schema))]
  }
}
