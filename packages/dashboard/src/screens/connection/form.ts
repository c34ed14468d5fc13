/** The forms of a connection: for a new one, a repository of the GitHub App, and changes. */
import type { ConnectionReply } from '@octavo/contract'
import {
  checkbox,
  choiceField,
  type FieldOptions,
  postForm,
  selectField,
  textField,
} from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { problemNotice } from '../../parts/notice.ts'
import { settingRow } from '../../parts/settings-row.ts'
import { errorOf, type FormProblem, generalError } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import type { GitHubChoice } from '../../visit/visit.ts'
import { PROVIDER_WORDS } from './words.ts'

const FIELDS = ['url', 'provider', 'credential', 'token', 'branch', 'folder']
const TEXT_LENGTH_MAX = 2_000
const CREDENTIALS = [
  { value: 'none', label: 'Public' },
  { value: 'token', label: 'Token' },
  { value: 'ssh-key', label: 'Deploy key' },
]
const PROVIDERS = [
  { value: '', label: 'As the URL says' },
  ...Object.entries(PROVIDER_WORDS).map(([value, label]) => ({ value, label })),
]

export function connectForm(screen: ProjectScreen, attempt?: Attempt): Html {
  const { form, problem } = attempt ?? {}
  const repository = html`
    <div class="stack">
      ${textField({
        name: 'url',
        label: 'Clone URL',
        value: formValue(form, 'url'),
        placeholder: 'https://github.com/owner/name.git',
        isRequired: true,
        maxLength: TEXT_LENGTH_MAX,
        error: errorOf(problem, 'url'),
        hint: html`For a deploy key, the SSH one: <code>git@github.com:owner/name.git</code>`,
      })}
      ${choiceField({
        name: 'credential',
        label: 'How it is read',
        value: formValue(form, 'credential') || 'none',
        choices: CREDENTIALS,
        error: errorOf(problem, 'credential'),
        hint: 'A deploy key is created for you and shown on the next page. It is for one repository and belongs to no person.',
      })}
      ${tokenField(problem, 'It is kept encrypted and never shown again.', 'only-token')}
      ${selectField({
        name: 'provider',
        label: 'Git host',
        value: formValue(form, 'provider'),
        choices: PROVIDERS,
        error: errorOf(problem, 'provider'),
      })}
    </div>
  `
  return postForm({
    action: screen.path('connection'),
    token: screen.visit.formToken,
    className: 'card connect',
    body: html`
      <div class="card-head"><h2 id="new">Connect a repository</h2></div>
      <div class="card-body form-grid">
        ${problemNotice(generalError(problem, FIELDS))}
        ${repository}
        <div class="stack">${buildFields(problem, valuesOf(form))}</div>
      </div>
      <div class="card-foot">
        <span>The repository is read first. Its secrets are shown once, on the next page.</span>
        <button class="button primary end">Connect</button>
      </div>
    `,
  })
}

/** Renders the repositories that GitHub listed for this person. */
export function gitHubForm(
  screen: ProjectScreen,
  { grant, repositories }: GitHubChoice,
  attempt?: Attempt,
): Html {
  const { form, problem } = attempt ?? {}
  const choices = repositories.map(({ name, url }) => ({ value: url, label: name }))
  const general = generalError(problem, ['url', 'branch', 'folder'])
  return postForm({
    action: screen.path('connection'),
    token: screen.visit.formToken,
    fields: { grant, credential: 'github-app' },
    className: 'card narrow',
    body: html`
      <div class="card-body stack">
        ${problemNotice(general)}
        ${selectField({
          name: 'url',
          label: 'Repository',
          value: formValue(form, 'url'),
          choices,
          error: errorOf(problem, 'url'),
        })}
        ${buildFields(problem, valuesOf(form))}
      </div>
      <div class="card-foot">
        <a class="button quiet" href="${screen.path('connection')}">Not now</a>
        <button class="button primary end">Connect</button>
      </div>
    `,
  })
}

/** Renders the settings of a connection. They are checked before they are saved. */
export function changeForm(
  screen: ProjectScreen,
  connection: ConnectionReply,
  attempt?: Attempt,
): Html {
  const { form, problem } = attempt ?? {}
  const { url, branch, folder, previews, forks, credential } = connection
  const values =
    form === undefined ? { branch: branch ?? '', folder, previews, forks } : valuesOf(form)
  const general = generalError(problem, ['url', 'token', 'branch', 'folder'])
  return postForm({
    action: screen.path('connection/change'),
    token: screen.visit.formToken,
    className: 'card',
    body: html`
      <div class="card-head">
        <h2 id="change">Repository</h2>
        <div class="aside">A change keeps the webhook, its secret and all builds</div>
      </div>
      ${general !== undefined && html`<div class="card-body">${problemNotice(general)}</div>`}
      ${
        credential !== 'github-app' &&
        textField({
          name: 'url',
          label: 'Clone URL',
          className: 'set',
          value: form === undefined ? url : formValue(form, 'url'),
          isRequired: true,
          maxLength: TEXT_LENGTH_MAX,
          error: errorOf(problem, 'url'),
          hint: credential === 'ssh-key' && 'SSH, with the same deploy key.',
        })
      }
      ${(credential === 'none' || credential === 'token') && changeToken(credential, problem)}
      ${textField({
        ...branchField(problem, values),
        className: 'set',
        hint: 'Empty means the default branch, or the only one.',
      })}
      ${textField({ ...folderField(problem, values), className: 'set' })}
      ${settingRow({
        title: 'Previews',
        hint: 'Each gets its own address, with the access of the site.',
        controls: previewChecks(values),
      })}
      <div class="card-foot">
        <span>The repository is read before the change is saved.</span>
        <button class="button primary end">Check and save</button>
      </div>
    `,
  })
}

function changeToken(credential: 'none' | 'token', problem: FormProblem | undefined): Html {
  const hint =
    credential === 'token'
      ? 'Saved, and never shown. A new one replaces it.'
      : 'For a private repository.'
  return tokenField(problem, hint, 'set')
}

type BuildValues = {
  readonly branch: string
  readonly folder: string
  readonly previews: boolean
  readonly forks: boolean
}

/** Returns the form's values; all options are on by default. */
function valuesOf(form: Form | undefined): BuildValues {
  return {
    branch: formValue(form, 'branch'),
    folder: formValue(form, 'folder'),
    previews: form?.has('previews') ?? true,
    forks: form?.has('forks') ?? true,
  }
}

function buildFields(problem: FormProblem | undefined, values: BuildValues): readonly Html[] {
  return [
    textField(branchField(problem, values)),
    textField(folderField(problem, values)),
    previewChecks(values),
  ]
}

const branchField = (problem: FormProblem | undefined, { branch }: BuildValues): FieldOptions => ({
  name: 'branch',
  label: 'Branch that is published',
  value: branch,
  placeholder: 'The default branch',
  isOptional: true,
  error: errorOf(problem, 'branch'),
})

const folderField = (problem: FormProblem | undefined, { folder }: BuildValues): FieldOptions => ({
  name: 'folder',
  label: 'Folder with docs.json',
  value: folder,
  placeholder: 'The root of the repository',
  isOptional: true,
  error: errorOf(problem, 'folder'),
})

function previewChecks(values: BuildValues): Html {
  return html`
    <div class="checks">
      ${checkbox({
        name: 'previews',
        value: 'on',
        label: 'Build branches and pull requests',
        isChecked: values.previews,
      })}
      ${checkbox({
        name: 'forks',
        value: 'on',
        label: 'Also pull requests from forks',
        hint: 'Their scripts do not run until a member approves the preview.',
        isChecked: values.forks,
      })}
    </div>
  `
}

/** Renders the token field, always empty. */
function tokenField(problem: FormProblem | undefined, hint: string, className = ''): Html {
  return textField({
    name: 'gitToken',
    label: 'Token',
    type: 'password',
    isOptional: true,
    autocomplete: 'new-password',
    error: errorOf(problem, 'token'),
    hint,
    className,
  })
}

/** Reads the fields about builds, which both forms have. */
export function readBuildFields(form: Form) {
  const { previews, forks } = valuesOf(form)
  const token = formValue(form, 'gitToken') || undefined
  return {
    branch: formValue(form, 'branch') || undefined,
    folder: formValue(form, 'folder'),
    previews,
    forks,
    token,
  }
}
