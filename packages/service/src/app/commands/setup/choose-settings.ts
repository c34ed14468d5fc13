/** Chooses the value of each setting: from the file, an option, or a question. */
import { getDomain } from 'tldts'
import { readSettings } from '../../settings/env.ts'
import { UsageError } from '../arguments.ts'
import { isLocalName } from '../doctor/check-names.ts'
import type { Question } from './ask.ts'
import type { Values } from './settings-file.ts'

type SetupOptions = {
  readonly url?: string | undefined
  readonly 'sites-domain'?: string | undefined
  readonly blobs?: string | undefined
}

export type ChooseDeps = {
  readonly options: SetupOptions
  /** Values that the settings file already has. */
  readonly known: Values
  readonly file: string
  /** The environment of this process, which may contain a bucket's keys. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly answer: (question: Question) => Promise<string>
  readonly print: (line: string) => void
  readonly blobsFallback: string
}

const LOCAL_URL = 'http://octavo.localhost:8080'
const LOCAL_SITES = 'sites.localhost'
const DEFAULT_PORT = '8080'
/**
 * Variables that are read from the environment, since command-line options are visible to other
 * users of the machine.
 */
const BUCKET_NAMES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_REGION',
  'OCTAVO_S3_ENDPOINT',
]
/**
 * Valid values of required variables, so that a check only reports problems of the value in
 * question.
 */
const PLACEHOLDERS = {
  DATABASE_URL: 'postgres://octavo@127.0.0.1/octavo',
  OCTAVO_KEY_PEPPER: 'p'.repeat(32),
}

/** Returns the settings by variable name. */
export async function chooseSettings(deps: ChooseDeps): Promise<Values> {
  const { print, known } = deps
  const url = await choose(deps, 'OCTAVO_URL', {
    text: 'Address of the dashboard and the API',
    option: 'url',
    fallback: LOCAL_URL,
    findProblem: (answer) => findSettingProblem({ OCTAVO_URL: answer }),
  })
  const { hostname, port, protocol } = new URL(url)
  const isLocal = isLocalName(hostname) || hostname === '127.0.0.1'
  const parent = getDomain(hostname, { allowPrivateDomains: true }) ?? hostname
  if (known.OCTAVO_SITES_DOMAIN === undefined && deps.options['sites-domain'] === undefined)
    print(
      `Sites run scripts that their authors wrote. On a domain outside ${parent}, these scripts cannot set cookies for the dashboard.`,
    )
  const sites = await choose(deps, 'OCTAVO_SITES_DOMAIN', {
    text: isLocal
      ? 'Domain of the sites'
      : `Domain of the sites, such as sites.${exampleNextTo(parent)}; you must own it`,
    option: 'sites-domain',
    fallback: isLocal ? LOCAL_SITES : undefined,
    findProblem: (answer) => findNamesProblem(url, answer),
  })
  const bucket = bucketValues(deps)
  const blobs = await choose(deps, 'OCTAVO_BLOBS', {
    text: 'Files of sites: a folder, or s3://bucket/prefix',
    option: 'blobs',
    fallback: deps.blobsFallback,
    findProblem: (answer) => findBlobsProblem(answer, { ...known, ...bucket }),
  })
  return {
    OCTAVO_URL: url,
    OCTAVO_SITES_DOMAIN: sites,
    OCTAVO_BLOBS: blobs,
    ...(blobs.startsWith('s3:') ? bucket : {}),
    // With https, assume that a proxy on this machine reports the client's address. With http, the
    // service itself listens on the URL's port.
    ...(protocol === 'https:' ? { OCTAVO_TRUSTED_PROXIES: '127.0.0.1' } : {}),
    ...(protocol === 'http:' && port !== '' && port !== DEFAULT_PORT ? { PORT: port } : {}),
  }
}

/** Returns why the two domains cannot be used together; undefined if they can. */
function findNamesProblem(url: string, sitesDomain: string): string | undefined {
  return findSettingProblem({
    OCTAVO_URL: url,
    OCTAVO_SITES_DOMAIN: sitesDomain,
    OCTAVO_BLOBS: 'blobs',
  })
}

/** Returns the first problem that the service itself finds with these values. */
export function findSettingProblem(values: Values): string | undefined {
  const read = readSettings({ ...PLACEHOLDERS, ...values })
  return read.kind === 'wrong' ? read.reasons[0] : undefined
}

/**
 * Returns the setting's value. The file is never changed: an option that contradicts it is an
 * error.
 */
export async function choose(
  {
    options,
    known,
    file,
    answer,
  }: Pick<ChooseDeps, 'known' | 'file' | 'answer'> & {
    readonly options: Readonly<Record<string, unknown>>
  },
  name: string,
  question: Question,
): Promise<string> {
  const given = options[question.option]
  const value = known[name]
  if (typeof given === 'string') {
    if (value !== undefined && value !== given)
      throw new UsageError(
        `--${question.option} is ${given}, but ${file} has ${name}=${value}. Edit the file, or omit --${question.option}.`,
      )
    const problem = question.findProblem(given)
    if (problem !== undefined) throw new UsageError(problem)
    return given
  }
  if (value === undefined) return answer(question)
  const problem = question.findProblem(value)
  if (problem !== undefined) throw new UsageError(`${file}: ${problem}`)
  return value
}

function bucketValues({ environment, known }: ChooseDeps): Values {
  const given = BUCKET_NAMES.map((name) => [name, known[name] ?? environment[name]] as const)
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined && value !== ''),
  ) as Values
}

function findBlobsProblem(answer: string, values: Values): string | undefined {
  const keys = BUCKET_NAMES.filter((name) => values[name] !== undefined)
  const problem = findSettingProblem({
    OCTAVO_BLOBS: answer,
    ...Object.fromEntries(keys.map((name) => [name, values[name] ?? ''])),
  })
  if (problem?.includes('AWS_ACCESS_KEY_ID') !== true) return problem
  return `${problem} Set them for this command, as well as AWS_REGION or OCTAVO_S3_ENDPOINT: setup writes them to the file.`
}

/** Returns another registrable domain with a similar name: example.com → example-docs.com. */
function exampleNextTo(domain: string): string {
  const dot = domain.indexOf('.')
  return dot === -1 ? `${domain}-docs.net` : `${domain.slice(0, dot)}-docs${domain.slice(dot)}`
}
