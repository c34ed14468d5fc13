export type Environment = Readonly<Record<string, string | undefined>>

export type Inputs = {
  readonly command: 'check' | 'deploy'
  readonly folder: string
  /** Origin of the service. */
  readonly service: string | undefined
  readonly project: string | undefined
  readonly version: string
  readonly strict: boolean
  readonly comment: boolean
  /** A file that `octavo test` wrote, relative to the root of the repository. */
  readonly proof: string | undefined
  readonly apiKey: string | undefined
  readonly githubToken: string | undefined
}

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const PROJECT = /^prj_[a-z\d]{1,64}$/

/** Reads the inputs of action.yml. The mistakes are sentences for the author of the workflow. */
export function readInputs(
  env: Environment,
): { readonly inputs: Inputs } | { readonly mistakes: readonly string[] } {
  const read = (name: string) => (env[`ACTION_${name}`] ?? '').trim()
  const optional = (name: string) => (read(name) === '' ? undefined : read(name))
  const mistakes: string[] = []
  const isTrue = (name: string) => {
    const text = read(name)
    if (!/^(?:true|false)$/.test(text))
      mistakes.push(`\`${name.toLowerCase()}\` is "${text}". Use true or false.`)
    return text === 'true'
  }
  const command = read('COMMAND')
  if (command !== 'check' && command !== 'deploy')
    mistakes.push(`\`command\` is "${command}". Use check or deploy.`)
  const folder = read('FOLDER')
  if (folder === '' || folder.startsWith('-'))
    mistakes.push(`\`folder\` is "${folder}". Use the folder with docs.json, for example docs.`)
  const version = read('VERSION')
  if (!VERSION.test(version))
    mistakes.push(`\`version\` is "${version}". Use a whole version, for example 0.1.0.`)
  const service = optional('SERVICE')
  const origin = service === undefined ? undefined : originOf(service)
  if (service !== undefined && origin === undefined)
    mistakes.push(
      `\`service\` is "${service}". Use its URL, for example https://octavo.example.com.`,
    )
  const project = optional('PROJECT')
  if (project !== undefined && !PROJECT.test(project))
    mistakes.push(`\`project\` is "${project}". Use the id on the page of the project, prj_….`)
  if (command === 'deploy' && (service === undefined || project === undefined))
    mistakes.push('`command: deploy` needs `service` and `project`.')
  const proof = optional('PROOF')
  if (proof?.startsWith('-'))
    mistakes.push(`\`proof\` is "${proof}". Use the file that \`octavo test -o\` wrote.`)
  const strict = isTrue('STRICT')
  const comment = isTrue('COMMENT')
  if (mistakes.length > 0) return { mistakes }
  return {
    inputs: {
      command: command === 'deploy' ? 'deploy' : 'check',
      folder,
      service: origin,
      project,
      version,
      strict,
      comment,
      proof,
      apiKey: optional('API_KEY'),
      githubToken: optional('GITHUB_TOKEN'),
    },
  }
}

/** Programs and tokens travel over HTTPS; plain HTTP is for a service on the same machine. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const isLocal = /^(?:127\.0\.0\.1|localhost|[\w-]+\.localhost)$/.test(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal) ? url.origin : undefined
}
