/**
 * Runs all checks independently, and returns one finding per check in the order in which they are
 * printed.
 */

import { openDatabase } from '../../../platform/database/database.ts'
import { reasonOf } from '../../../platform/reason-of.ts'
import { withTimeout } from '../../../platform/with-timeout.ts'
import { createDomainDns } from '../../../publishing/domains/domain-dns.ts'
import { nameBelow } from '../../../publishing/domains/read-certificate.ts'
import { adminAddress, mainAddress } from '../../roles/listen.ts'
import type { Settings } from '../../settings/env.ts'
import { checkBuilds } from './check-builds.ts'
import { checkClock, checkIds } from './check-clock.ts'
import {
  checkConnection,
  checkConnections,
  checkRole,
  checkRowSecurity,
  checkSchema,
} from './check-database.ts'
import { checkMail } from './check-mail.ts'
import { checkModel } from './check-model.ts'
import { checkCertificate, checkName } from './check-names.ts'
import { checkPepper } from './check-pepper.ts'
import { checkPort, isAdminPort, isServicePort } from './check-ports.ts'
import { checkFailedJobs, checkQueue } from './check-queue.ts'
import { checkReplica } from './check-replica.ts'
import { checkSecrets } from './check-secrets.ts'
import { checkStore } from './check-store.ts'
import { checkSuffixes } from './check-suffixes.ts'
import { type Finding, failed, notSet, skipped } from './finding.ts'

/** The maximum time of a check, longer than the timeouts within it. */
const CHECK_MS_MAX = 20_000

type Check = readonly [name: string, run: () => Promise<Finding>]

export async function runChecks(
  settings: Settings,
  now: () => number,
): Promise<readonly Finding[]> {
  // Run in parallel, since most of the time is spent waiting for timeouts.
  const groups = await Promise.all([
    checkDatabases(settings, now),
    ...outsideChecks(settings, now).map(async (check) => [await runCheck(check)]),
  ])
  return groups.flat()
}

async function checkDatabases(settings: Settings, now: () => number): Promise<readonly Finding[]> {
  const { databaseUrl, ownerUrl, directUrl, replicaUrl } = settings
  const connection = await runCheck([
    'database',
    () => checkConnection('database', { name: 'DATABASE_URL', url: databaseUrl }),
  ])
  const others: readonly Check[] = [
    [
      'owner',
      async () =>
        ownerUrl === databaseUrl
          ? notSet('owner', 'DATABASE_OWNER_URL')
          : checkConnection('owner', { name: 'DATABASE_OWNER_URL', url: ownerUrl }),
    ],
    [
      'direct',
      async () =>
        directUrl === undefined
          ? notSet('direct', 'DATABASE_DIRECT_URL')
          : checkConnection('direct', { name: 'DATABASE_DIRECT_URL', url: directUrl }),
    ],
  ]
  const database = openDatabase({ url: databaseUrl, connections: 1 })
  const inside: readonly Check[] = [
    ['schema', () => checkSchema(database)],
    ['role', () => checkRole(database)],
    ['row security', () => checkRowSecurity(database)],
    ['connections', () => checkConnections(database, settings.databaseConnections)],
    ['clock', () => checkClock(database, now)],
    ['ids', () => checkIds(database)],
    ['secrets', () => checkSecrets(database, settings.secretKeys)],
    ['pepper', () => checkPepper(database, settings.pepper)],
    ['queue', () => checkQueue(database)],
    ['failed jobs', () => checkFailedJobs(database)],
    ...(replicaUrl === undefined
      ? []
      : [['replica', () => checkReplica(database, replicaUrl)] as const]),
  ]
  const findings = [connection]
  try {
    for (const check of others) findings.push(await runCheck(check))
    const isUsable = connection.status === 'ok'
    let isSchemaRight = true
    for (const check of inside) {
      const [name] = check
      const finding = isUsable
        ? await runCheck(check)
        : skipped(name, 'the database cannot be used')
      // A check that fails because a table is missing would only repeat the schema's finding.
      const isBroken = finding.status === 'failed' && finding.code === 'check-failed'
      findings.push(isBroken && !isSchemaRight ? skipped(name, 'fix the schema first') : finding)
      if (name === 'schema') isSchemaRight = finding.status === 'ok'
    }
    if (replicaUrl === undefined) findings.push(notSet('replica', 'DATABASE_REPLICA_URL'))
    return findings
  } finally {
    await database.end()
  }
}

function outsideChecks(settings: Settings, now: () => number): readonly Check[] {
  const { blobs, sitesDomain, previewsDomain, assistant, signIn } = settings
  const url = settings.url === undefined ? undefined : new URL(settings.url)
  const dns = createDomainDns(settings.dnsServers)
  const domain = (check: string, name: string, value: string | undefined): Check => [
    check,
    async () =>
      value === undefined
        ? notSet(check, name)
        : checkName(check, { name: nameBelow(value), dns, shown: `*.${value}` }),
  ]
  return [
    ['port', () => checkPort('port', mainAddress(settings), isServicePort)],
    ['admin port', () => checkPort('admin port', adminAddress(settings), isAdminPort)],
    ['store', async () => (blobs ? checkStore(blobs) : notSet('store', 'OCTAVO_BLOBS'))],
    ['builds', async () => (blobs ? checkBuilds() : notSet('builds', 'OCTAVO_BLOBS'))],
    [
      'name',
      async () =>
        url ? checkName('name', { name: url.hostname, dns }) : notSet('name', 'OCTAVO_URL'),
    ],
    domain('sites', 'OCTAVO_SITES_DOMAIN', sitesDomain),
    domain('previews', 'OCTAVO_PREVIEWS_DOMAIN', previewsDomain),
    [
      'site cookies',
      async () => {
        const domains = [sitesDomain, previewsDomain].filter((name) => name !== undefined)
        return domains.length === 0
          ? notSet('site cookies', 'OCTAVO_SITES_DOMAIN')
          : checkSuffixes('site cookies', domains)
      },
    ],
    [
      'certificate',
      async () => {
        if (url === undefined) return notSet('certificate', 'OCTAVO_URL')
        return url.protocol === 'https:'
          ? checkCertificate(url, now)
          : skipped('certificate', 'OCTAVO_URL is not https')
      },
    ],
    [
      'model',
      async () =>
        assistant.model
          ? checkModel(assistant.model, settings.allowPrivateHosts)
          : notSet('model', 'OCTAVO_ASSISTANT_URL'),
    ],
    [
      'mail',
      async () => (signIn.mail ? checkMail(signIn.mail) : notSet('mail', 'OCTAVO_SMTP_URL')),
    ],
  ]
}

async function runCheck([name, run]: Check): Promise<Finding> {
  try {
    return await withTimeout(run(), CHECK_MS_MAX)
  } catch (error) {
    return failed(name, {
      code: 'check-failed',
      found: `This could not be checked: ${reasonOf(error)}.`,
      hint: 'Fix the other failed checks first, then run `octavo-service doctor` again.',
    })
  }
}
