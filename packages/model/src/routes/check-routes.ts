import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { pageUrl } from './page-path.ts'

/** Reports two files for the same page, and addresses that only differ in case. */
export function checkRoutes(
  pages: readonly { readonly path: string; readonly file: string }[],
  report: Report,
): void {
  const byPath = new Map<string, string>()
  const byFoldedPath = new Map<string, { readonly path: string; readonly file: string }>()
  for (const { path, file } of pages) {
    const earlier = byPath.get(path)
    if (earlier !== undefined) {
      report(
        diagnose(
          'route/collision',
          { file, line: 1, column: 1 },
          {
            message: `${file} and ${earlier} have the same URL, ${pageUrl(path)}; ${earlier} is used.`,
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
          message: `${pageUrl(path)} and ${pageUrl(other.path)} differ only in capitalization.`,
          hint: 'Rename one: many hosts and file systems do not distinguish case.',
        },
      ),
    )
  }
}
