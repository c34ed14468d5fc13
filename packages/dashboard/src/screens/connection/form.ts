/**
 * The forms of a connection: to create one, to choose a repository of the GitHub App, and to change
 * one.
 */
import type { ConnectionReply } from '@octavo/contract'
import {
  checkbox,
  choiceField,
  type FieldOptions,
  postForm,
  secretField,
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
  { value: '', label: 'Detect from URL' },
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
        hint: html`For a deploy key, use the SSH URL: <code>git@github.com:owner/name.git</code>`,
      })}
      ${choiceField({
        name: 'credential',
        label: 'Access to the repository',
        value: formValue(form, 'credential') || 'none',
        choices: CREDENTIALS,
        error: errorOf(problem, 'credential'),
        hint: 'A deploy key is created for you and shown on the next page. It grants access to this repository only and is not tied to a person.',
      })}
      ${tokenField(problem, 'It is stored encrypted and is not shown again.', 'only-token')}
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
        <span>The service reads the repository first. The next page shows its secrets, once only.</span>
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

/** Renders the settings of a connection. The service checks them before it saves them. */
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
        <div class="aside">Changing the repository keeps the webhook, its secret and all builds</div>
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
          hint: credential === 'ssh-key' && 'Use an SSH URL. The deploy key stays the same.',
        })
      }
      ${credential === 'token' && savedTokenField(screen, attempt)}
      ${credential === 'none' && tokenField(problem, 'Only needed for a private repository.', 'set')}
      ${textField({
        ...branchField(problem, values),
        className: 'set',
        hint: 'If empty, the default branch or the only branch is published.',
      })}
      ${textField({ ...folderField(problem, values), className: 'set' })}
      ${settingRow({
        title: 'Previews',
        hint: 'Each preview has its own address.',
        controls: previewChecks(values),
      })}
      <div class="card-foot">
        <span>The repository is checked before the change is saved.</span>
        <button class="button primary end">Check and save</button>
      </div>
    `,
  })
}

/** Renders that a token is saved, with a field to replace it and a checkbox to remove it. */
const savedTokenField = ({ now }: ProjectScreen, { form, problem }: Partial<Attempt> = {}): Html =>
  secretField({
    name: 'gitToken',
    label: 'Token',
    stored: { word: 'Saved, not shown', at: undefined, now },
    removal: {
      name: 'removeToken',
      label: 'Remove the token',
      hint: 'Without a token, only a public repository can be read.',
      isChecked: form?.has('removeToken') ?? false,
    },
    error: errorOf(problem, 'token'),
    className: 'set',
  })

type BuildValues = {
  readonly branch: string
  readonly folder: string
  readonly previews: boolean
  readonly forks: boolean
}

/** Returns the values of the form; by default, all options are on. */
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
  label: 'Published branch',
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
        label: 'Also build pull requests from forks',
        hint: 'Scripts from forks do not run until a member approves the preview.',
        isChecked: values.forks,
      })}
    </div>
  `
}

/** Renders the token field. It is always empty, since the token is secret. */
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

/** Reads the fields about builds, which are in the forms for new and for changed connections. */
export function readBuildFields(form: Form) {
  const { previews, forks } = valuesOf(form)
  const kept = form.has('removeToken') ? null : undefined
  const token = formValue(form, 'gitToken') || kept
  return {
    branch: formValue(form, 'branch') || undefined,
    folder: formValue(form, 'folder'),
    previews,
    forks,
    token,
  }
}
