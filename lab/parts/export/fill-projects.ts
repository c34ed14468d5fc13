import { createToken } from '../../../packages/service/src/platform/secrets/token.ts'
import { BENCH_RING, type BenchProject, runSql } from './bench-service.ts'

const KEYS_AT_ONCE = 10_000

/**
 * Creates projects, each in its own organization, with a key that can read and two conversations:
 * with only one, each page of one conversation would be the last page, for which the service reads
 * twice.
 */
export async function fillProjects(
  databaseUrl: string,
  count: number,
): Promise<readonly Pick<BenchProject, 'publicId' | 'token'>[]> {
  const publicId = (number: number) => `prj_${String(number).padStart(16, '0')}`
  const projects = Array.from({ length: count }, (_, index) => ({
    publicId: publicId(index + 1),
    token: createToken(),
  }))
  const ms = Date.now() - 1_000
  await runSql(
    databaseUrl,
    `insert into organization (id, public_id, name)
     select n, 'org_' || lpad(n::text, 16, '0'), 'Bench' from generate_series(1, ${count}) as n`,
    `insert into project (organization_id, id, public_id, slug, name)
     select n, n, 'prj_' || lpad(n::text, 16, '0'), 'bench-' || n, 'Bench' from generate_series(1, ${count}) as n`,
    `insert into conversation_sequence (project_id, last_ms) select id, ${ms} from project`,
    `insert into conversation (project_id, id, recorded_at, query, response, sources, resolution_status)
     select p.id, base32(${ms} - n, 10) || lpad('', 16, '0'), to_timestamp((${ms} - n) / 1000.0),
            'How often do I water plant ' || p.id || '?', 'Once a day.', '[]', 'answered'
       from project p, generate_series(0, 1) as n`,
  )
  for (let first = 0; first < count; first += KEYS_AT_ONCE) {
    const hashes = projects
      .slice(first, first + KEYS_AT_ONCE)
      .map(({ token }) => `'\\x${BENCH_RING.hash('api key', token).toString('hex')}'`)
    await runSql(
      databaseUrl,
      `insert into api_key (project_id, kind, token_hash, last_four, scopes, pepper_id)
       select ${first} + n, 'admin', hash, '0000', '{analytics:read}', '${BENCH_RING.id}'
         from unnest(array[${hashes.join()}]::bytea[]) with ordinality as keys (hash, n)`,
    )
  }
  await runSql(databaseUrl, 'vacuum analyze', 'checkpoint')
  return projects
}
