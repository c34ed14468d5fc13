/** Forms that work without JavaScript: labels, hints, and errors next to their fields. */
import { type Html, type HtmlPart, html } from './html.ts'
import { icon } from './icon.ts'
import { timeTag } from './time.ts'

export type FieldOptions = {
  readonly name: string
  readonly label: string
  readonly value?: string
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'search' | 'url' | 'password'
  readonly hint?: HtmlPart
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly isOptional?: boolean
  readonly isRequired?: boolean
  /**
   * True if the field is only required in one of several modes. The server checks this, not the
   * browser.
   */
  readonly isNeeded?: boolean
  readonly autocomplete?: string
  readonly maxLength?: number
  readonly className?: string
  readonly min?: number
  readonly max?: number
  /** Text shown at the end of the input, such as `days` or the rest of an address. */
  readonly unit?: string
}

/** The maximum length of a short unit; a longer one, such as a domain, gets more space. */
const UNIT_SHORT_MAX = 8

export function textField(options: FieldOptions): Html {
  const { name, value = '', type = 'text', placeholder, isRequired, maxLength } = options
  const id = `field-${name}`
  const input = html`
      <input id="${id}" name="${name}" type="${type}" value="${value}"${attribute('placeholder', placeholder)}
        ${attribute('autocomplete', options.autocomplete ?? 'off')}${attribute('maxlength', maxLength)}
        ${attribute('min', options.min)}${attribute('max', options.max)}${isRequired && html` required`}
        ${options.isNeeded && html` aria-required="true"`}${described(options, id)}>
    `
  return fieldFrame(options, id, withUnit(input, options.unit))
}

function withUnit(input: Html, unit: string | undefined): Html {
  if (unit === undefined) return input
  const length = unit.length > UNIT_SHORT_MAX ? 'is-long' : ''
  return html`<span class="with-unit ${length}">${input}<span aria-hidden="true">${unit}</span></span>`
}

export function textArea(options: FieldOptions & { readonly rows: number }): Html {
  const { name, value = '', rows, placeholder, maxLength } = options
  const id = `field-${name}`
  return fieldFrame(
    options,
    id,
    html`
      <textarea id="${id}" name="${name}" rows="${rows}" spellcheck="false"
        ${attribute('placeholder', placeholder)}
        ${attribute('maxlength', maxLength)}
        ${options.isNeeded && html` aria-required="true"`}${described(options, id)}>${value}</textarea>
    `,
  )
}

export type SecretOptions = Omit<FieldOptions, 'value' | 'type'> & {
  /** The state of the stored secret and when it was set; undefined if no secret is stored. */
  readonly stored:
    | { readonly word: string; readonly at: string | null | undefined; readonly now: number }
    | undefined
  /** A checkbox that removes the stored secret; without it, the secret can only be replaced. */
  readonly removal?: Omit<Check, 'value'>
}

/** Renders a stored secret's state with a field to replace it; without a secret, only a field. */
export function secretField({ stored, removal, ...options }: SecretOptions): Html {
  const field = (label: string) =>
    textField({
      ...options,
      label,
      // The frame of a stored secret has the class.
      className: stored === undefined ? (options.className ?? '') : '',
      type: 'password',
      autocomplete: 'new-password',
      isOptional: options.isNeeded !== true && stored === undefined,
      isNeeded: options.isNeeded === true && stored === undefined,
    })
  if (stored === undefined) return field(options.label)
  const { label, error, className = '' } = options
  const isOpen = error !== undefined || removal?.isChecked === true
  const when = stored.at && html`<span class="muted">${timeTag(stored.at, stored.now)}</span>`
  return html`
    <div class="field ${className}">
      <span class="label">${label}</span>
      <details class="saved"${isOpen && html` open`}>
        <summary>
          <span>${stored.word}</span>
          ${when}
          <span class="button small">
            ${removal === undefined ? 'Replace…' : 'Replace or remove…'}<span class="sr-only"> ${label}</span>
          </span>
        </summary>
        ${field(`New ${label[0]?.toLowerCase()}${label.slice(1)}`)}
        ${removal && html`<div class="checks">${checkbox({ ...removal, value: 'on' })}</div>`}
      </details>
    </div>
  `
}

export type Choice = { readonly value: string; readonly label: string }

export function selectField(options: FieldOptions & { readonly choices: readonly Choice[] }): Html {
  const { name, value = '', choices } = options
  const id = `field-${name}`
  const items = choices.map(
    (choice) =>
      html`<option value="${choice.value}"${choice.value === value && html` selected`}>${choice.label}</option>`,
  )
  return fieldFrame(
    options,
    id,
    html`<select id="${id}" name="${name}"${described(options, id)}>${items}</select>`,
  )
}

/** Renders radio buttons that look like buttons. */
export function choiceField(options: FieldOptions & { readonly choices: readonly Choice[] }): Html {
  const { name, label, value, choices, hint, error } = options
  const items = choices.map(
    (choice) =>
      html`
        <label>
          <input type="radio" name="${name}" value="${choice.value}"
            ${choice.value === value && html` checked`}>
          ${choice.label}
        </label>
      `,
  )
  return html`
    <fieldset class="field">
      <legend>${label}</legend>
      <div class="choice">${items}</div>
      ${hint && html`<p class="hint">${hint}</p>`}
      ${errorLine(error, `field-${name}`)}
    </fieldset>
  `
}

export type Check = {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly hint?: HtmlPart
  readonly isChecked: boolean
  readonly isOff?: boolean
  readonly isRequired?: boolean
}

export function checkbox(check: Check): Html {
  const { name, value, label, hint, isChecked, isOff, isRequired } = check
  return html`
    <label class="check">
      <input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}
        ${isOff && html` disabled`}${isRequired && html` required`}>
      <b>${label}</b>
      ${hint && html`<span class="hint">${hint}</span>`}
    </label>
  `
}

export type Option = { readonly value: string; readonly label: string; readonly hint?: HtmlPart }

/**
 * Renders radio buttons as a list with explanations. The setting row around the list is its label.
 */
export function radioList({
  name,
  value,
  choices,
}: {
  readonly name: string
  readonly value: string
  readonly choices: readonly Option[]
}): Html {
  const items = choices.map(
    (choice) =>
      html`
        <label class="check">
          <input type="radio" name="${name}" value="${choice.value}"
            ${choice.value === value && html` checked`}>
          <b>${choice.label}</b>
          ${choice.hint && html`<span class="hint">${choice.hint}</span>`}
        </label>
      `,
  )
  return html`<div class="checks">${items}</div>`
}

function fieldFrame(options: FieldOptions, id: string, control: Html): Html {
  const { label, hint, error, isOptional, className = '' } = options
  return html`
    <div class="field ${className}">
      <label for="${id}">${label}${isOptional && html` <span class="muted">(optional)</span>`}</label>
      ${control}
      ${errorLine(error, id)}
      ${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    </div>
  `
}

/** Links the hint and the error to the field, for screen readers. */
function described({ hint, error }: FieldOptions, id: string): HtmlPart {
  const ids = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`]
  const list = ids.filter((one) => one !== false)
  return [
    error !== undefined && html` aria-invalid="true"`,
    list.length > 0 && html` aria-describedby="${list.join(' ')}"`,
  ]
}

function errorLine(error: string | undefined, id: string): HtmlPart {
  return (
    error !== undefined &&
    html`<p class="error" id="${id}-error">${icon('alert-circle')}<span>${error}</span></p>`
  )
}

function attribute(name: string, value: string | number | undefined): HtmlPart {
  return value !== undefined && html` ${name}="${value}"`
}

export function hiddenFields(fields: Readonly<Record<string, string | undefined>>): HtmlPart {
  return Object.entries(fields).map(
    ([name, value]) =>
      value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )
}

export type PostForm = {
  readonly action: string
  readonly token: string
  readonly body: HtmlPart
  readonly className?: string
  readonly id?: string
  readonly fields?: Readonly<Record<string, string | undefined>>
}

/** Renders a POST form with the form token. Every change is sent with such a form. */
export function postForm({ action, token, body, className = '', id, fields = {} }: PostForm): Html {
  return html`
    <form method="post" action="${action}" class="${className}"${attribute('id', id)}>
      ${hiddenFields({ token, ...fields })}
      ${body}
    </form>
  `
}

/** Renders a form that is only a button. */
export function postButton(
  form: Omit<PostForm, 'body'> & { readonly label: HtmlPart; readonly look?: string },
): Html {
  const { label, look = '', className = 'inline', ...rest } = form
  return postForm({
    ...rest,
    className,
    body: html`<button class="button ${look}">${label}</button>`,
  })
}
