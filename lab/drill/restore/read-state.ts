/** Reads the state of a service: what its users see, and the rows of its tables. */

import type { ConversationPage } from '@octavo/contract'
import pg from 'pg'
import type { HostedProject } from '../../../packages/service/testing/start-hosting.ts'
import { visit } from '../../../packages/service/testing/test-deployment.ts'

const PAGE_ROWS = 100

/**
 * Returns a project's conversations from the API, one line each: all of them, or those after a
 * cursor.
 */
export async function readExport(
  url: string,
  project: HostedProject,
  from: { readonly cursor?: string; readonly limit?: number } = {},
): Promise<readonly string[]> {
  const lines: string[] = []
  const limit = String(from.limit ?? PAGE_ROWS)
  let cursor: string | null = from.cursor ?? null
  do {
    const query = new URLSearchParams({ limit, ...(cursor && { cursor }) })
    const response: Response = await fetch(
      `${url}/v1/analytics/${project.projectId}/assistant?${query}`,
      { headers: { authorization: `Bearer ${project.adminKey}` } },
    )
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    const page = (await response.json()) as ConversationPage
    lines.push(...page.conversations.map((conversation) => JSON.stringify(conversation)))
    cursor = page.hasMore ? page.nextCursor : null
  } while (cursor !== null)
  return lines
}

/** Returns the response that a reader gets for each path. */
export async function readSite(
  port: number,
  project: HostedProject,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const replies = new Map<string, string>()
  for (const path of paths) {
    const { status, headers, bytes } = await visit(port, project.host, path)
    const facts = [status, headers['content-type'], headers.etag, bytes.toString('base64')]
    replies.set(path, facts.join('\n'))
  }
  return replies
}

/**
 * Returns every row of every table as text, with counts. Jobs are omitted, because workers change
 * them constantly.
 */
export async function readRows(url: string): Promise<ReadonlyMap<string, Map<string, number>>> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I', c.relname) as name from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        order by 1`,
    )
    const all = new Map<string, Map<string, number>>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
      const counts = new Map<string, number>()
      for (const { text } of rows) counts.set(text, (counts.get(text) ?? 0) + 1)
      all.set(name, counts)
    }
    return all
  } finally {
    await client.end()
  }
}
