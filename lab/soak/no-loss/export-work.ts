/** Measures how much of the export each server handles, from the servers' own statistics. */
import type { Database } from '../../../packages/service/src/platform/database/database.ts'

export type ExportWork = {
  /** The number of calls to `conversations_page`, and the milliseconds spent in them. */
  readonly pages: number
  readonly pageMs: number
  /** The number of rows of `conversation` that were read. Publishing reads none. */
  readonly rows: number
  /** The number of calls to `fence_conversations`, which only the primary can run. */
  readonly fences: number
}

export const NO_WORK: ExportWork = { pages: 0, pageMs: 0, rows: 0, fences: 0 }

/** Returns the work of a server since its last start: a crash resets its statistics. */
export async function readExportWork(server: Database): Promise<ExportWork> {
  const [work] = await server.query<ExportWork>(
    `with calls as (select funcname, calls, total_time from pg_stat_user_functions)
     select coalesce((select calls from calls where funcname = 'conversations_page'), 0)::float8 as pages,
            coalesce((select total_time from calls where funcname = 'conversations_page'), 0)::float8 as "pageMs",
            coalesce((select calls from calls where funcname = 'fence_conversations'), 0)::float8 as fences,
            (select coalesce(sum(coalesce(idx_tup_fetch, 0) + seq_tup_read), 0)
               from pg_stat_user_tables where relname like 'conversation\\_%')::float8 as rows`,
  )
  return work ?? NO_WORK
}

export function addWork(one: ExportWork, other: ExportWork): ExportWork {
  return {
    pages: one.pages + other.pages,
    pageMs: one.pageMs + other.pageMs,
    rows: one.rows + other.rows,
    fences: one.fences + other.fences,
  }
}

export type SharedWork = { readonly primary: ExportWork; readonly replica: ExportWork }

export function printSharedWork({ primary, replica }: SharedWork): readonly string[] {
  const line = (what: string, name: 'pages' | 'pageMs' | 'rows') => {
    const [here, there] = [primary[name], replica[name]]
    const share = here + there === 0 ? 0 : (here / (here + there)) * 100
    return `${what}: primary ${Math.round(here)}, replica ${Math.round(there)} (primary ${share.toFixed(1)} %)`
  }
  return [
    line('pages of the export', 'pages'),
    line('rows read for it', 'rows'),
    line('milliseconds in pages', 'pageMs'),
    `fences, on the primary: ${primary.fences}`,
  ]
}
