/** Replaces the imports of a page: partials become snippets, and code that is not moved is named. */
import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import { mapProse } from '../page/map-prose.ts'
import type { PartContext } from './convert-page.ts'

export type Imported = {
  /** Imports of snippets, for the start of the page. */
  readonly imports: readonly string[]
  /** Addresses of imported images, by name. */
  readonly images: ReadonlyMap<string, string>
  /** Text of imported files, by name. */
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly file: string }>
  /** Names that have no value any more. */
  readonly gone: ReadonlySet<string>
}

/** Several imports can be on one line. */
const IMPORT =
  /(?<=^|;[ \t]*)import[ \t]+(?:([^'";]{1,500}?)[ \t\n]+from[ \t]*)?(["'])([^'"\n]{1,300})\2[ \t]*;?[ \t]*(?=$|import\b)/gm
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|mp4|webm)$/i
/** Components whose tags other parts of the conversion replace. */
const KNOWN =
  /^@theme(?:-original)?\/(?:Tabs|TabItem|CodeBlock|Admonition|ThemedImage|Details|Heading|TOCInline|DocCardList)$|^@docusaurus\/(?:Link|useBaseUrl|BrowserOnly)$/

export function convertImports(
  body: string,
  context: PartContext,
): Imported & { readonly text: string } {
  const { report, placeOf } = context
  const images = new Map<string, string>()
  const texts = new Map<string, { text: string; file: string }>()
  const snippets = new Map<string, string>()
  const gone = new Set<string>()
  const replace = (written: string, names: string | undefined, _: string, source: string) => {
    if (source === 'react') return written
    const local = localNames(names ?? '')
    const [first = ''] = local
    if (KNOWN.test(source)) return ''
    if (source.startsWith('!!raw-loader!')) {
      const file = resolveFile(source.slice('!!raw-loader!'.length), context)
      const text = file === undefined ? undefined : context.read(file)
      if (file !== undefined && text !== undefined) {
        report.convert('file shown as code')
        texts.set(first, { text, file })
        return ''
      }
    } else if (/\.mdx?$/.test(source)) {
      const file = resolveFile(source, context)
      const path = file === undefined ? undefined : context.snippet(file)
      if (path !== undefined) {
        report.convert('partial')
        snippets.set(first, path)
        return ''
      }
    } else if (IMAGE.test(source)) {
      images.set(first, context.address(source))
      return ''
    }
    for (const name of local) gone.add(name)
    report.leave(
      /\.(?:s?css|less)$/.test(source)
        ? `The stylesheet \`${source}\` belongs to the old theme and was not copied.`
        : `The import of \`${local.join('`, `') || source}\` from \`${source}\` was removed: code and files outside of the documentation are not moved.`,
      placeOf(written),
    )
    return ''
  }
  const text = mapProse(body, (prose) => prose.replaceAll(IMPORT, replace))
  const imports = [...snippets].map(([name, path]) => `import ${name} from '/${path}'`)
  return { text, imports, images, texts, gone }
}

function localNames(names: string): readonly string[] {
  const [, listed = ''] = /\{([^}]*)\}/.exec(names) ?? []
  const single = names.replace(/\{[^}]*\}/, '').replace(/\*\s+as\s+/, '')
  return [
    ...single.split(','),
    ...listed.split(',').map((one) => one.split(/\s+as\s+/).at(-1) ?? ''),
  ]
    .map((one) => one.trim())
    .filter((one) => /^[\w$]+$/.test(one))
}

function resolveFile(written: string, { source, base }: PartContext): string | undefined {
  if (written.startsWith('@site/')) return joinPath(base, `./${written.slice(6)}`)
  return /^\.\.?\//.test(written) ? joinPath(posix.dirname(source.file), written) : undefined
}
