/**
 * The settings for publishing: which problems stop a deployment, whether the host forwards
 * playground requests, and which CI jobs may deploy.
 */
import type { ProjectSettingsReply } from '@octavo/contract'
import { cardHead } from '../../parts/card.ts'
import { checkbox, postForm, radioList, textArea } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { settingRow } from '../../parts/settings-row.ts'
import { errorOf } from '../../visit/call-api.ts'
import { type Attempt, type Form, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { cardProblem } from './card-problem.ts'
import type { DocsSetting } from './docs-settings.ts'

const FIELDS = ['failOn', 'trust']
/** The default, which applies if neither docs.json nor the project sets a value. */
const STANDARD = 'breaking'

const FAIL_ON_WORDS = {
  breaking: {
    label: 'Do not publish if a problem breaks the site',
    hint: 'Pages, docs.json or OpenAPI documents that cannot be read. Sites with broken links or missing images are published.',
  },
  error: {
    label: 'Do not publish if there is an error',
    hint: 'Broken links and missing images, too.',
  },
  warning: { label: 'Do not publish if there is an error or warning', hint: undefined },
  none: { label: 'Publish anyway', hint: 'Problems are listed on the build page.' },
} as const

type Choice = keyof typeof FAIL_ON_WORDS

export function readPublishing(form: Form): object {
  return {
    failOn: formValue(form, 'failOn') || null,
    playgroundProxy: form.has('playgroundProxy'),
    trust: readTrust(form),
  }
}

/**
 * Reads the repositories of CI jobs. Addresses that people copy from the browser are also accepted.
 */
function readTrust(form: Form): readonly string[] {
  return formValue(form, 'trust')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(
        /^(?:https:\/\/)?(github|gitlab)\.com\/([^@\s]+?)(?:\.git|\/)?(@\S+)?$/,
        (_, host: string, name: string, branch = '') => `${host}:${name}${branch}`,
      ),
    )
}

type Input = {
  readonly settings: ProjectSettingsReply
  /** The settings in the docs.json of the live site. */
  readonly docs: readonly DocsSetting[]
  readonly attempt: Attempt | undefined
}

export function publishingCard(
  { visit, path }: ProjectScreen,
  { settings, docs, attempt }: Input,
): Html {
  const { form, problem } = attempt ?? {}
  const isProxied = form === undefined ? settings.playgroundProxy : form.has('playgroundProxy')
  const body = html`
    ${cardHead('Publishing')}
    ${cardProblem(attempt, FIELDS)}
    ${settingRow({
      title: 'When a site has problems',
      hint: html`
        For <code>octavo deploy</code> and builds from Git. Problems in <code>octavo-baseline.json</code> do not stop
        a deployment.
      `,
      controls: radioList({
        name: 'failOn',
        value: form === undefined ? (settings.failOn ?? '') : formValue(form, 'failOn'),
        choices: [
          { value: '', label: 'As set in docs.json', hint: fromDocs(docs) },
          ...Object.entries(FAIL_ON_WORDS).map(([value, words]) => ({ value, ...words })),
        ],
      }),
    })}
    ${settingRow({
      title: 'API playground',
      hint: 'For APIs that do not allow requests from browsers.',
      controls: checkbox({
        name: 'playgroundProxy',
        value: 'on',
        label: 'Send requests through the host',
        hint: 'Only to the servers that the OpenAPI documents name.',
        isChecked: isProxied,
      }),
    })}
    ${textArea({
      name: 'trust',
      label: 'CI jobs that deploy without a key',
      className: 'set',
      rows: 3,
      isOptional: true,
      placeholder: 'github:owner/name@main',
      value: form === undefined ? settings.trust.join('\n') : formValue(form, 'trust'),
      error: errorOf(problem, 'trust'),
      hint: html`
        One repository of GitHub Actions or GitLab CI per line. Without <code>@branch</code>, jobs of every
        branch can deploy.
      `,
    })}
    <div class="card-foot"><button class="button primary end">Save</button></div>
  `
  return postForm({
    action: path('settings'),
    token: visit.formToken,
    fields: { part: 'publishing' },
    className: 'card',
    id: 'publishing',
    body,
  })
}

/** Returns a sentence with the value from docs.json, or with the default. */
function fromDocs(docs: readonly DocsSetting[]): string {
  const setting = docs.find(({ key }) => key === 'deploy.failOn')
  const words = (value: string) => FAIL_ON_WORDS[value as Choice]?.label ?? value
  if (setting === undefined)
    return `docs.json does not set deploy.failOn, so the default applies: ${words(STANDARD)}.`
  return `${setting.file}:${setting.line} says: ${words(setting.value)}.`
}
