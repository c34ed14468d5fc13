/**
 * Lights the line of a field in the sample next to it, and the field of a line. Names are compared
 * with their parents, by the indentation of the sample.
 */

const LIT = 'oct-lit'
const LINE = '--oct-lit-line'
/** A longer sample would make the pointer slow. */
const LINES_MAX = 400

/** Lights what belongs to a field or a sample, until the pointer or the focus leaves it. */
export function lightLine(part: HTMLElement): void {
  if (part.matches('.oct-field')) lightSample(part)
  else if (part.matches('.oct-example')) part.onpointermove = (event) => lightField(part, event)
  else return
  part.onpointerleave = putOut
  part.addEventListener('focusout', putOut)
}

function putOut(): void {
  for (const one of document.querySelectorAll<HTMLElement>(`.${LIT}`)) {
    one.classList.remove(LIT)
    one.style.removeProperty(LINE)
  }
}

function lightSample(field: HTMLElement): void {
  putOut()
  const sample = `.oct-${field.id.startsWith('response-') ? 'response' : 'request'}`
  const path = pathOf(field)
  for (const code of document.querySelectorAll<HTMLElement>(`${sample} code`)) {
    const line = code.checkVisibility() ? linesOf(code).findIndex((one) => isWithin(one, path)) : -1
    if (line < 0) continue
    field.classList.add(LIT)
    code.classList.add(LIT)
    code.style.setProperty(LINE, String(line))
  }
}

function lightField(sample: HTMLElement, { target, clientY }: PointerEvent): void {
  putOut()
  const code =
    target instanceof Element ? target.closest<HTMLElement>('pre')?.querySelector('code') : null
  if (!code) return
  const { top, height } = code.getBoundingClientRect()
  const lines = linesOf(code)
  const path = lines[Math.floor(((clientY - top) / height) * lines.length)] ?? []
  const start = sample.matches('.oct-response') ? 'response' : 'body'
  for (const field of document.querySelectorAll<HTMLElement>(`.oct-field[id^=${start}]`))
    if (field.checkVisibility() && isWithin(path, pathOf(field))) field.classList.add(LIT)
}

/** Returns the names of a field and of the fields around it, outermost first. */
function pathOf(field: HTMLElement): readonly string[] {
  const name = field.querySelector('.oct-field-name')?.textContent?.trim() ?? ''
  const around = field.parentElement?.closest<HTMLElement>('.oct-field')
  return around ? [...pathOf(around), name] : [name]
}

/** Checks whether a path ends with another. What is around it is the code that sends the body. */
function isWithin(path: readonly string[], end: readonly string[]): boolean {
  return end.length > 0 && `/${path.join('/')}`.endsWith(`/${end.join('/')}`)
}

/** Returns the names that lead to each line of a sample; none for a line without a name. */
function linesOf(code: HTMLElement): readonly (readonly string[])[] {
  const above: { readonly depth: number; readonly name: string }[] = []
  return (code.textContent ?? '').split('\n', LINES_MAX).map((text) => {
    const [, space = '', name] = /^(\s*)(?:["']?([\w$.-]+)["']?\s*[:=])?/.exec(text) ?? []
    if (name === undefined) return []
    while ((above.at(-1)?.depth ?? -1) >= space.length) above.pop()
    above.push({ depth: space.length, name })
    return above.map((one) => one.name)
  })
}
