import pg from 'pg'

export type ExplainInput = {
  readonly databaseUrl: string
  readonly projectId: string
  readonly cursor: string
  readonly limit: number
}

/**
 * Returns the plan of the query inside conversations_page, with times and buffers. It is the plan
 * that auto_explain logs on the second call, and not that of a copied query.
 */
export async function explainPage(input: ExplainInput): Promise<string> {
  const client = new pg.Client(input.databaseUrl)
  await client.connect()
  try {
    const plans: string[] = []
    client.on('notice', ({ message }) => {
      if (message?.includes('string_agg')) plans.push(message)
    })
    await client.query(`load 'auto_explain'`)
    for (const [name, value] of [
      ['log_min_duration', '0'] as const,
      ['log_nested_statements', 'on'] as const,
      ['log_analyze', 'on'] as const,
      ['log_buffers', 'on'] as const,
      ['log_level', 'notice'] as const,
    ]) {
      await client.query(`set auto_explain.${name} = ${value}`)
    }
    await client.query('set role octavo_app')
    await client.query(`select set_config('octavo.project_id', $1, false)`, [input.projectId])
    const call = 'select row_count from conversations_page($1, $2, $3, $4, $5)'
    const values = [input.cursor, '', '8', input.limit, ',']
    await client.query(call, values)
    plans.length = 0
    await client.query(call, values)
    return plans.map((plan) => plan.replace(/Query Text:.*?\n(?=[A-Z])/s, '')).join('\n')
  } finally {
    await client.end()
  }
}
