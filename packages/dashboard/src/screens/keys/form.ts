/** The form for a new key. */
import { ApiKey } from '@octavo/contract'
import { checkbox, choiceField, postForm, textField } from '../../parts/form.ts'
import { type Html, html } from '../../parts/html.ts'
import { icon } from '../../parts/icon.ts'
import { problemNotice } from '../../parts/notice.ts'
import { errorOf, generalError } from '../../visit/call-api.ts'
import { type Attempt, formValue, type ProjectScreen } from '../../visit/screen.ts'
import { SCOPE_WORDS } from '../members/role-words.ts'

const FIELDS = ['name', 'expiresAt', 'allowedFrom', 'scopes', 'kind']
const DAYS = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'none', label: 'Does not expire' },
]
const KINDS = [
  { value: 'admin', label: 'Admin key' },
  { value: 'deploy', label: 'Deploy token' },
]
/** The scopes that a key can have. The form only offers those that the person has. */
const KEY_SCOPES = ApiKey.shape.scopes.element.options

export function keyForm(screen: ProjectScreen, attempt: Attempt | undefined): Html {
  return postForm({
    action: screen.path('keys'),
    token: screen.visit.formToken,
    fields: { idempotency: crypto.randomUUID() },
    className: 'card',
    body: html`
      <div class="card-head">
        <h2 id="new">Create a key</h2>
        <div class="aside">For servers only. Never put a key into a page, an app or a repository.</div>
      </div>
      <div class="card-body form-grid">
        ${problemNotice(generalError(attempt?.problem, FIELDS))}
        ${facts(attempt)}
        ${scopeChecks(screen, attempt)}
      </div>
      <div class="card-foot">
        <span>The key is shown once, on the next page.</span>
        <button class="button primary end">Create key</button>
      </div>
    `,
  })
}

function facts({ form, problem }: Partial<Attempt> = {}): Html {
  return html`
    <div class="stack">
      ${textField({
        name: 'name',
        label: 'Name',
        value: formValue(form, 'name'),
        placeholder: 'For example: Nightly export',
        isRequired: true,
        maxLength: 100,
        error: errorOf(problem, 'name'),
      })}
      ${choiceField({
        name: 'kind',
        label: 'Kind',
        value: formValue(form, 'kind') || 'admin',
        choices: KINDS,
        error: errorOf(problem, 'kind'),
        hint: html`
          A deploy token can only deploy. Permissions apply to admin keys.
        `,
      })}
      ${choiceField({
        name: 'days',
        label: 'Expires after',
        value: formValue(form, 'days') || '90',
        choices: DAYS,
        error: errorOf(problem, 'expiresAt'),
      })}
      ${textField({
        name: 'allowedFrom',
        label: 'Allowed networks',
        value: formValue(form, 'allowedFrom'),
        placeholder: '10.4.0.0/16, 203.0.113.7',
        isOptional: true,
        error: errorOf(problem, 'allowedFrom'),
      })}
    </div>
  `
}

function scopeChecks({ may }: ProjectScreen, { form, problem }: Partial<Attempt> = {}): Html {
  const chosen = form?.getAll('scopes') ?? ['analytics:read']
  const scopes = KEY_SCOPES.filter((scope) => may(scope)).map((scope) =>
    checkbox({
      name: 'scopes',
      value: scope,
      label: SCOPE_WORDS[scope].name,
      hint: html`${SCOPE_WORDS[scope].about} <code>${scope}</code>`,
      isChecked: chosen.includes(scope),
    }),
  )
  const scopeError = errorOf(problem, 'scopes')
  return html`
    <fieldset class="field">
      <legend>Permissions</legend>
      <div class="checks">${scopes}</div>
      ${
        scopeError !== undefined &&
        html`<p class="error">${icon('alert-circle')}<span>${scopeError}</span></p>`
      }
    </fieldset>
  `
}
