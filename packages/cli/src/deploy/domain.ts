/** `octavo domain`: manages a project's custom domains and shows the remaining steps for each. */

import type { Domain } from '@octavo/contract'
import { printable } from '@octavo/model'
import { type CommandContext, EXIT, type ExitCode } from '../context/command-context.ts'
import { colorsFor } from '../report/colors.ts'
import { printTable, printTime } from '../report/print-table.ts'
import { printJson, printLines } from './print-response.ts'
import type { ServiceClient } from './service-client.ts'
import { type ServiceOptions, withService } from './with-service.ts'

export type DomainAction =
  | { readonly verb: 'list' }
  /** If the name is undefined, all domains of the project are checked. */
  | { readonly verb: 'check'; readonly name: string | undefined }
  | { readonly verb: 'add' | 'remove' | 'redirect' | 'no-redirect'; readonly name: string }

export type DomainOptions = ServiceOptions & {
  readonly action: DomainAction
  readonly json: boolean
}

type DomainCheck = Domain['checks']['claimed']

type Job = {
  readonly world: CommandContext
  readonly client: ServiceClient
  readonly json: boolean
}

export function domain(world: CommandContext, options: DomainOptions): Promise<ExitCode> {
  const { action, json } = options
  return withService(world, options, (client) => {
    const job = { world, client, json }
    switch (action.verb) {
      case 'list':
        return list(job)
      case 'add':
        return add(job, action.name)
      case 'check':
        return check(job, action.name)
      case 'remove':
        return remove(job, action.name)
      case 'redirect':
      case 'no-redirect':
        return redirect(job, action.name, action.verb === 'redirect')
    }
  })
}

async function list(job: Job): Promise<ExitCode> {
  const reply = await job.client.domains()
  if (job.json) return printJson(job, reply)
  if (reply.domains.length === 0)
    return printLines(job, ['There are no domains. `octavo domain add docs.example.com` adds one.'])
  const rows = reply.domains.map((one) => [
    one.name,
    one.redirects ? `${one.state}, redirects` : one.state,
    one.servedUntil === null ? '' : printTime(one.servedUntil),
    domainChecks(one).find(needsAction)?.label ?? '',
  ])
  const head = ['DOMAIN', 'STATE', 'SERVED UNTIL (UTC)', 'NEXT STEP']
  return printLines(job, printTable([head, ...rows]))
}

async function add(job: Job, name: string): Promise<ExitCode> {
  const added = await job.client.addDomain(name)
  if (job.json) return printJson(job, added)
  const { green } = colorsFor(job.world.out, job.world.env)
  const { record } = added
  return printLines(job, [
    `${green('✓')} Added ${printable(added.name)}. Now add two records at your DNS provider:`,
    '',
    ...printTable([
      ['  TYPE', 'NAME', 'VALUE'],
      [`  ${record.type}`, record.name, record.value],
      ['  CNAME', added.name, added.target],
    ]),
    '',
    `Then run \`octavo domain check ${printable(added.name)}\`. Keep the TXT record: it is checked every day.`,
  ])
}

/** Checks domains. Returns a failure while steps remain, so that a script can wait for them. */
async function check(job: Job, name: string | undefined): Promise<ExitCode> {
  const names =
    name === undefined ? (await job.client.domains()).domains.map((one) => one.name) : [name]
  const domains: Domain[] = []
  for (const one of names) domains.push(await job.client.checkDomain(one))
  const [first] = domains
  if (job.json) printJson(job, name !== undefined && first !== undefined ? first : { domains })
  else if (first === undefined) printLines(job, ['There are no domains.'])
  else
    printLines(
      job,
      domains.flatMap((one, index) => printDomain(job, one, index > 0)),
    )
  return domains.some((one) => domainChecks(one).some(needsAction)) ? EXIT.problems : EXIT.ok
}

async function remove(job: Job, name: string): Promise<ExitCode> {
  await job.client.removeDomain(name)
  if (job.json) return EXIT.ok
  const { green } = colorsFor(job.world.out, job.world.env)
  return printLines(job, [
    `${green('✓')} Removed ${printable(name)}. The site is no longer served there. Also remove the DNS records of the domain.`,
  ])
}

async function redirect(job: Job, name: string, redirects: boolean): Promise<ExitCode> {
  const changed = await job.client.changeDomain(name, { redirects })
  if (job.json) return printJson(job, changed)
  const { green } = colorsFor(job.world.out, job.world.env)
  const does = redirects ? 'redirects to' : 'does not redirect to'
  const other = changed.name.startsWith('www.') ? 'without www.' : 'with www.'
  return printLines(job, [
    `${green('✓')} ${printable(changed.name)} ${does} the domain ${other} now.`,
  ])
}

function printDomain(job: Job, one: Domain, isNext: boolean): readonly string[] {
  const { bold } = colorsFor(job.world.out, job.world.env)
  const until = one.servedUntil === null ? '' : `, served until ${printTime(one.servedUntil)} UTC`
  return [
    ...(isNext ? [''] : []),
    `${bold(printable(one.name))}  ${one.state}${until}`,
    ...domainChecks(one).flatMap((check) => printDomainCheck(job, check)),
  ]
}

function printDomainCheck(
  job: Job,
  { label, state, seen, from, at, hint }: DomainCheck,
): readonly string[] {
  const colors = colorsFor(job.world.out, job.world.env)
  const sign = {
    ok: colors.green('✓'),
    waiting: colors.yellow('○'),
    problem: colors.red('✗'),
  }[state]
  const source = from === '' ? '' : colors.dim(`  from ${printable(from)}, ${when(at)}`)
  return [
    `  ${sign} ${label}: ${printable(seen)}${source}`,
    ...(hint === '' ? [] : [`    Next: ${printable(hint)}`]),
  ]
}

const when = (at: string | null) => (at === null ? '' : `${printTime(at)} UTC`)

const domainChecks = ({ checks }: Domain): readonly DomainCheck[] => [
  checks.claimed,
  checks.resolves,
  checks.reachesUs,
  checks.certificate,
  checks.canonical,
]

/**
 * Checks whether a domain check needs an action. Without a hint it does not: for example, a service
 * without TLS has no certificates.
 */
const needsAction = ({ state, hint }: DomainCheck) => state === 'problem' || hint !== ''
