import { parseArgs } from 'node:util'
import { findUnknownVariables, type ReadSettings, type Settings } from '../../settings/env.ts'
import { type Finding, failed, fine, skipped, warning } from './finding.ts'
import { runChecks } from './run-checks.ts'

export type DoctorDeps = {
  readonly read: ReadSettings
  /** All environment variables, to find misspelled names. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (line: string) => void
  readonly now: () => number
}

const REMOVE = 'Correct the name of the variable, or remove it.'
const SIGNS = { ok: '✓', warning: '!', failed: '✗', skipped: '-', 'not-set': '-' } as const
const NAME_WIDTH = 13
const HIDDEN = '•••'
/**
 * The minimum length of a masked value. Shorter values are not secrets and may be ordinary words.
 */
const SECRET_LENGTH_MIN = 6

/** `doctor`: checks everything that the service needs, and returns the exit code. */
export async function runDoctor(args: readonly string[], deps: DoctorDeps): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } })
  const { read, environment, print, now } = deps
  const findings = [
    ...(read.kind === 'wrong' ? environmentFindings(read.reasons) : await look(read.settings, now)),
    ...findUnknownVariables(environment).map((found) =>
      warning('environment', { code: 'variable-unknown', found, hint: REMOVE }),
    ),
  ]
  const isFine = findings.every(({ status }) => status !== 'failed')
  if (values.json === true) print(JSON.stringify({ ok: isFine, checks: findings }, undefined, 2))
  else {
    for (const finding of findings) for (const line of printFinding(finding)) print(line)
    print(printCounts(findings))
  }
  return isFine ? 0 : 1
}

async function look(settings: Settings, now: () => number): Promise<readonly Finding[]> {
  const secrets = secretsOf(settings)
  const findings = await runChecks(settings, now)
  return [fine('environment', 'every variable is valid'), ...findings].map((finding) =>
    hideSecrets(finding, secrets),
  )
}

/** Reports invalid variables. Without settings, no other check can run. */
function environmentFindings(reasons: readonly string[]): readonly Finding[] {
  return [
    ...reasons.map((found) =>
      failed('environment', {
        code: 'environment-invalid',
        found,
        hint: 'Correct the variable. `octavo-service --help` lists all of them.',
      }),
    ),
    skipped('the rest', 'fix the environment variables first'),
  ]
}

function printFinding(finding: Finding): readonly string[] {
  const start = `${SIGNS[finding.status]} ${finding.check.padEnd(NAME_WIDTH)} `
  switch (finding.status) {
    case 'ok':
      return [start + finding.found]
    case 'not-set':
      return [`${start}not set (${finding.found})`]
    case 'skipped':
      return [`${start}skipped: ${finding.found}`]
    case 'warning':
    case 'failed':
      return [
        `${start}${finding.code}: ${finding.found}`,
        `${' '.repeat(start.length)}Hint: ${finding.hint}`,
      ]
  }
}

function printCounts(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) =>
    findings.filter((one) => one.status === status).length
  const warnings = count('warning')
  return `${count('ok')} fine, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${count('failed')} failed, ${count('skipped')} skipped, ${count('not-set')} not set`
}

/** Masks secrets, which servers may repeat in their error messages. */
function hideSecrets(finding: Finding, secrets: readonly string[]): Finding {
  const hide = (text: string) =>
    secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
  return 'hint' in finding
    ? { ...finding, found: hide(finding.found), hint: hide(finding.hint) }
    : { ...finding, found: hide(finding.found) }
}

function secretsOf(settings: Settings): readonly string[] {
  const { databaseUrl, ownerUrl, directUrl, replicaUrl, pepper, blobs, signIn } = settings
  const { model } = settings.assistant
  const urls = [
    ...[databaseUrl, ownerUrl, directUrl, replicaUrl],
    ...[signIn.mail?.smtpUrl, blobs?.s3Endpoint, model?.url, settings.url],
  ]
  const passwords = urls.flatMap((url) => {
    const password = url === undefined ? '' : new URL(url).password
    return [password, decode(password)]
  })
  const all = [
    ...passwords,
    ...pepper.secrets(),
    ...settings.secretKeys.map(({ bytes }) => Buffer.from(bytes).toString('base64')),
    blobs?.awsSecretAccessKey,
    model?.key,
    settings.vectors.mode === 'remote' ? settings.vectors.model.key : undefined,
    settings.gitHubApp?.webhookSecret,
    settings.gitHubApp?.client?.secret,
    ...signIn.providers.map(({ clientSecret }) => clientSecret),
  ]
  return all
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length)
}

/**
 * Decodes a password. Returns a malformed one unchanged: the check that uses it reports the
 * mistake.
 */
function decode(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}
