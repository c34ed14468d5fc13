/** A download of a whole list as CSV, with the columns of the API. */
import { printCsvLine } from '@octavo/contract'
import { DOWNLOAD_TYPES, fileResponse } from './download.ts'

/** The maximum number of rows of a download. Longer lists must be read with the API. */
const ROWS_MAX = 10_000

export type EntryPage = { readonly entries: readonly object[]; readonly nextCursor: string | null }

export async function downloadCsv(
  readPage: (cursor: string | undefined) => Promise<EntryPage>,
  { name, now }: { readonly name: string; readonly now: number },
): Promise<Response> {
  const entries: object[] = []
  let cursor: string | undefined
  do {
    const page = await readPage(cursor)
    entries.push(...page.entries)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && entries.length < ROWS_MAX)
  const columns = [...new Set(entries.flatMap(Object.keys))]
  const lines = entries.map((entry) => {
    const values = new Map(Object.entries(entry))
    return printCsvLine(columns.map((column) => values.get(column)))
  })
  const text = [printCsvLine(columns), ...lines].join('')
  const type = `${DOWNLOAD_TYPES.csv}; charset=utf-8`
  return fileResponse(text, { type, name, format: 'csv', now })
}
