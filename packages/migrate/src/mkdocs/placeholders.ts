/**
 * Makes pages for files that are not in the folder, such as references that a script writes when
 * the site is built. Without them, links and old addresses would lead to nothing.
 */

import { posix } from 'node:path'
import { joinPath } from '@octavo/model'
import type { MigrationReport } from '../site/report.ts'
import { asValues } from '../site/values.ts'
import { oldUrlOf, pagePathOf } from './old-urls.ts'
import type { PageSource } from './page-source.ts'

const TEXT =
  'This page is generated when the old site is built, so it could not be moved. Write it here, or remove it from the site.'

type Missing = { readonly title: string | undefined; readonly file: string }

export function readPlaceholders(
  sources: readonly PageSource[],
  {
    nav,
    place,
    isDirectory,
  }: {
    readonly nav: unknown
    readonly place: { file: string; line: number }
    readonly isDirectory: boolean
  },
  report: MigrationReport,
): readonly PageSource[] {
  const known = new Set(sources.map(({ original }) => original))
  const missing = new Map<string, Missing>()
  const add = (original: string, title: string | undefined, file: string) => {
    const isPage = /\.md$/.test(original) && !known.has(original)
    if (isPage && !missing.has(original)) missing.set(original, { title, file })
  }
  for (const [written, title] of listedFiles(nav))
    add(joinPath('', written) ?? '', title, place.file)
  for (const { original, text, file } of sources) {
    const folder = posix.dirname(original) === '.' ? '' : posix.dirname(original)
    for (const target of linkedFiles(text)) add(joinPath(folder, target) ?? '', undefined, file)
  }
  return [...missing].map(([original, { title, file }]) => {
    report.leave(
      `\`${original}\` is not in the folder; a script may write it. It has a placeholder page.`,
      { file, line: 1 },
    )
    const path = pagePathOf(original)
    const text = ['<Note>', '', TEXT, '', '</Note>'].join('\n')
    const meta = title === undefined ? {} : { title }
    return {
      file: original,
      original,
      path,
      oldUrl: oldUrlOf(path, isDirectory),
      meta,
      written: '',
      text,
      names: [],
      anchors: [],
      titleAnchor: undefined,
      isPlaceholder: true,
    }
  })
}

function listedFiles(
  nav: unknown,
  title?: string,
): readonly (readonly [string, string | undefined])[] {
  if (typeof nav === 'string') return /^[a-z]+:|^\//i.test(nav) ? [] : [[nav, title]]
  if (Array.isArray(nav)) return nav.flatMap((one) => listedFiles(one))
  return Object.entries(asValues(nav)).flatMap(([name, value]) => listedFiles(value, name))
}

const TARGET =
  /\]\(<?([^()\s<>:#?]{1,200}\.md)\/?(?=[)\s>#?])|^[ \t]*\[[^\]\n]{1,200}\]:[ \t]*<?([^\s<>:#?]{1,200}\.md)\/?(?=[\s>#?]|$)/gm

/** Returns the Markdown files that a page links to, except in code. */
function linkedFiles(text: string): readonly string[] {
  const prose = text
    .replaceAll(/^([ \t>]*)(`{3,}|~{3,})[\s\S]*?^[ \t>]*\2[ \t]*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(TARGET)].map(([, inline, defined]) =>
    decodeURI(inline ?? defined ?? ''),
  )
}
