import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { pageUrl } from './page-path.ts'

/** Reports two files for one page, and addresses that differ only in case. */
export function checkRoutes(
  pages: readonly { readonly path: string; readonly file: string }[],
  report: Report,
): void {
  const byPath = new Map<string, string>()
  const byFoldedPath = new Map<string, { readonly path: string; readonly file: string }>()
  for (const { path, file } of pages) {
    const twin = byPath.get(path)
    if (twin !== undefined) {
      report(
        diagnose(
          'route/collision',
          { file, line: 1, column: 1 },
          {
            message: `${file} and ${twin} have the same URL, ${pageUrl(path)}; ${twin} is used.`,
            hint: 'Rename or remove one of the two.',
          },
        ),
      )
      continue
    }
    byPath.set(path, file)
    const folded = path.toLowerCase()
    const other = byFoldedPath.get(folded)
    if (other === undefined) {
      byFoldedPath.set(folded, { path, file })
      continue
    }
    report(
      diagnose(
        'route/case-collision',
        { file, line: 1, column: 1 },
        {
          message: `${pageUrl(path)} and ${pageUrl(other.path)} differ only in upper and lower case.`,
          hint: 'Rename one: many hosts and file systems do not distinguish case.',
        },
      ),
    )
  }
}
