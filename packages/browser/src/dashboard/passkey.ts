/**
 * Adds passkeys to the dashboard: the button `data-passkey` of the sign-in page, and the form
 * `data-passkey-register` of the account page. Both are hidden if the browser does not support
 * passkeys, and `data-passkey-missing` is hidden if it does.
 */
const SIGN_IN = '/sign-in/passkey'

export function startPasskeys(): void {
  const { PublicKeyCredential } = window
  if (!(PublicKeyCredential && 'parseRequestOptionsFromJSON' in PublicKeyCredential)) return
  for (const part of document.querySelectorAll<HTMLElement>(
    '[data-passkey], [data-passkey-register]',
  ))
    part.hidden = false
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkey-missing]'))
    part.hidden = true
  document.addEventListener('click', (event) => {
    const button = closest<HTMLButtonElement>(event, '[data-passkey]')
    if (button !== undefined) void run(button, () => signIn(button.dataset.next ?? '/'))
  })
  document.addEventListener('submit', (event) => {
    const form = closest<HTMLFormElement>(event, '[data-passkey-register]')
    if (form === undefined) return
    event.preventDefault()
    void run(form, () => register(form))
  })
}

async function signIn(next: string): Promise<void> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    await postForm(`${SIGN_IN}/options`, new URLSearchParams()),
  )
  const credential = await navigator.credentials.get({ publicKey })
  const form = document.createElement('form')
  form.method = 'post'
  form.action = SIGN_IN
  setField(form, 'credential', toJson(credential))
  setField(form, 'next', next)
  document.body.append(form)
  form.submit()
}

async function register(form: HTMLFormElement): Promise<void> {
  const token = new FormData(form).get('token')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    await postForm(`${form.action}/options`, new URLSearchParams({ token: String(token) })),
  )
  setField(form, 'credential', toJson(await navigator.credentials.create({ publicKey })))
  form.submit()
}

async function postForm<Options>(url: string, body: URLSearchParams): Promise<Options> {
  const response = await fetch(url, { method: 'POST', body }).catch(() => undefined)
  if (response === undefined) throw new Refusal('The service did not respond. Try again.')
  const reply = (await response.json().catch(() => ({}))) as Options & { readonly detail?: string }
  if (response.ok) return reply
  throw new Refusal(reply.detail ?? FAILED)
}

/**
 * An error with a message for users. Messages of the browser's own errors are not shown to users.
 */
class Refusal extends Error {}

const FAILED = 'The passkey could not be used. Try again, or choose another method.'

function reasonOf(error: unknown): string {
  if (error instanceof Refusal) return error.message
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      // The user canceled, or the request timed out.
      return 'No passkey was used.'
    case 'InvalidStateError':
      return 'This device already has one of your passkeys.'
    case 'SecurityError':
      return 'Passkeys need a host name, such as octavo.localhost. They also need HTTPS, except on this machine.'
    default:
      return FAILED
  }
}

/** Runs an action and shows its error below the button or form, which can then be used again. */
async function run(part: HTMLElement, work: () => Promise<void>): Promise<void> {
  part.nextElementSibling?.matches('[data-passkey-error]') && part.nextElementSibling.remove()
  try {
    await work()
  } catch (error) {
    const line = document.createElement('p')
    line.className = 'error'
    line.role = 'alert'
    line.dataset.passkeyError = ''
    line.textContent = reasonOf(error)
    part.after(line)
  }
}

function closest<Part extends Element>(event: Event, selector: string): Part | undefined {
  return (event.target instanceof Element && event.target.closest<Part>(selector)) || undefined
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name) ?? document.createElement('input')
  if (!(field instanceof HTMLInputElement)) return
  field.type = 'hidden'
  field.name = name
  field.value = value
  if (field.parentElement === null) form.append(field)
}

function toJson(credential: Credential | null): string {
  return JSON.stringify((credential as PublicKeyCredential | null)?.toJSON())
}
