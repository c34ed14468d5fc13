/** Converts the compiler's messages about an author's file to our diagnostics. */
import { type LoadedFile, type ModuleLoader, moduleCode } from '@octavo/content'
import { type Diagnostic, diagnose, type Place, type SourceText } from '@octavo/model'
import type { Message, Metafile } from 'esbuild'
import type { IslandCode } from '../compile/find-islands.ts'
import { appendedCode, type ImportDetail, type SiteModules } from './site-plugin.ts'

/**
 * Converts a compiler error. The message for an import error is the same as when the page is
 * parsed.
 */
export function problemOf(
  { loader, codeOf }: Pick<SiteModules, 'loader' | 'codeOf'>,
  { text, location, detail }: Message,
): Diagnostic {
  const file = location?.file.replace(/^[a-z]+:/, '') ?? ''
  const loaded = loader.loadPath(file)
  if (location == null || loaded === undefined)
    return moduleProblem({ file, line: 1, column: 1 }, text)
  const source = sourceOf(loaded)
  const appended = placeOfCode(codeOf.get(file) ?? [], source, location.line)
  if (appended !== undefined) return moduleProblem(appended, plain(text))
  const before = Buffer.from(location.lineText).subarray(0, location.column).toString()
  const place = { file, line: location.line, column: before.length + 1 }
  const importing = detail as ImportDetail | undefined
  if (importing === undefined) return moduleProblem(place, plain(text))
  const start = importing.isStatement ? statementStart(source, place) : place
  return diagnose('content/import', start, {
    message: `The import cannot be resolved: ${text}.`,
    hint: 'Import an `.mdx`, `.md`, `.jsx` or `.tsx` file of the site by its path.',
  })
}

/** Returns where in the page the code is that was appended to the page's file. */
function placeOfCode(
  code: readonly IslandCode[],
  { file, text }: SourceText,
  wanted: number,
): Place | undefined {
  let end = lineCount(text)
  if (wanted <= end) return undefined
  for (const one of code) {
    end += lineCount(appendedCode(one)) - 1
    if (wanted <= end) return { file, line: one.line, column: one.column }
  }
  return undefined
}

function lineCount(text: string): number {
  return text.split(/\r\n|\r|\n/).length
}

/** Returns the diagnostic for a file that cannot be compiled. */
export function moduleProblem(place: Place, reason: string): Diagnostic {
  return diagnose('content/import', place, {
    message: `The browser code cannot be compiled, so it is omitted: ${reason}.`,
    hint: 'Fix the file. Until then, only the static content of its components is shown.',
  })
}

/** Reports Markdown that a component would show in the browser, where only code can run. */
export function reportMarkdownInIslands(
  loader: ModuleLoader,
  metafile: Metafile,
): readonly Diagnostic[] {
  const shipped = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.keys(inputs))
    .filter((input) => input.startsWith('markdown:'))
  return [...new Set(shipped)].flatMap((input) => {
    const path = input.slice('markdown:'.length)
    for (const [importer, { imports }] of Object.entries(metafile.inputs)) {
      const written = imports.find((one) => one.path === `site:${path}`)?.original
      const loaded = loader.loadPath(importer.replace(/^site:/, ''))
      if (written === undefined || loaded === undefined) continue
      const source = sourceOf(loaded)
      const offset = Math.max(0, moduleCode(loaded).indexOf(written))
      const place = { file: source.file, ...source.position(offset) }
      return [
        diagnose('content/needs-browser', statementStart(source, place), {
          message: `A component that runs in the browser uses \`${path}\`, a Markdown file, which is not available there.`,
          hint: "Put the Markdown on the page, inside the component's tag, and use it as `children`.",
        }),
      ]
    }
    return []
  })
}

function sourceOf(loaded: LoadedFile): SourceText {
  return loaded.kind === 'markdown' ? loaded.file.source : loaded.source
}

/** Removes the compiler's prefix from names such as `site:a.jsx`. */
function plain(text: string): string {
  return text.replaceAll(/"(?:site|global|entry):([^"]*)"/g, '`$1`')
}

/** Returns the start of the import or export statement at a place. */
function statementStart(source: SourceText, place: Place): Place {
  const lines = source.text.split(/\r\n|\r|\n/).slice(0, place.line)
  const index = lines.findLastIndex((line) => /^\s*(?:import|export)\b/.test(line))
  if (index < 0) return place
  return { ...place, line: index + 1, column: (lines[index] ?? '').search(/\S/) + 1 }
}
