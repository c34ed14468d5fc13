import { isHosted } from '../config/api.ts'
import { diagnose, type Report } from '../diagnostics/diagnostic.ts'
import { formatCount, LIMITS } from '../diagnostics/limits.ts'
import { type JsonString, placeOf } from '../json/json-node.ts'
import { parsePagePath } from '../routes/page-path.ts'
import { correctValue } from '../schema/schema.ts'
import { parseOperationText } from './parse-operation-text.ts'
import type { PageTarget } from './written.ts'

/**
 * Parses an entry of `pages`: a page file, or an operation in the form `METHOD /path`, `<spec>
 * METHOD /path` or `webhook name` (rules 6 and 8 of "Documentation generation from OpenAPI").
 */
export function parsePageTarget(node: JsonString, report: Report): PageTarget | undefined {
  const written = node.value.trim()
  if (written.length > LIMITS.pageEntryLengthMax) {
    report(
      diagnose('nav/page-path', placeOf(node), {
        message: `An entry of \`pages\` has ${formatCount(written.length)} characters; the limit is ${formatCount(LIMITS.pageEntryLengthMax)}.`,
        hint: 'Write the path of a page.',
      }),
    )
    return undefined
  }
  // Operations contain a space. Page paths rarely do, so this fast path is worthwhile.
  if (!written.includes(' ') && !written.includes('\t')) {
    return parseListedPage(node, written, report)
  }
  const operation = parseOperationText(written)
  if (operation !== undefined) return { kind: 'operation', ...operation }
  return parseListedPage(node, written, report)
}

function parseListedPage(
  node: JsonString,
  written: string,
  report: Report,
): PageTarget | undefined {
  const parsed = parsePagePath(written)
  switch (parsed.kind) {
    case 'path':
      if (parsed.extension !== undefined) {
        report(
          diagnose('nav/page-extension', placeOf(node), {
            message: `"${written}" is written with its extension \`${parsed.extension}\`.`,
            hint: `Write "${parsed.path}".`,
            fix: correctValue(node, parsed.path),
          }),
        )
      }
      return { kind: 'page', path: parsed.path }
    case 'outside-root':
      report(
        diagnose('nav/page-outside-root', placeOf(node), {
          message: `"${written}" points outside the documentation folder.`,
          hint: 'Write the path from the folder of docs.json, such as `guides/start`.',
        }),
      )
      return undefined
    case 'address':
      if (!isHosted(written)) {
        report(
          diagnose('link/unsafe', placeOf(node), {
            message: `"${written}" is not a page path, and its URL scheme is not safe. The entry is not shown.`,
            hint: 'Write the path of a page without its extension, such as `guides/start`.',
          }),
        )
        return undefined
      }
      report(
        diagnose('nav/page-path', placeOf(node), {
          message: `"${written}" is a URL, not a page path.`,
          hint: 'Create a page with `url` in its frontmatter, or use a tab or an anchor with `href`.',
        }),
      )
      return { kind: 'link', href: written }
    case 'empty':
    case 'malformed':
      report(
        diagnose('nav/page-path', placeOf(node), {
          message:
            parsed.kind === 'empty'
              ? `"${written}" is not a page path.`
              : `"${written}" contains characters that are not allowed in a path.`,
          hint: 'Write the path of a page without its extension, such as `guides/start`.',
        }),
      )
      return undefined
  }
}
