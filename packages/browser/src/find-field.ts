/**
 * Shows only the fields of an API page whose name contains what a reader types, with the fields
 * around them. Levels that were not loaded yet are not searched.
 */
const HIDDEN = 'oct-unfound'

export function findField(input: HTMLInputElement): void {
  const wanted = input.value.trim().toLowerCase()
  const all = [...document.querySelectorAll<HTMLElement>('.oct-rest .oct-field')]
  const found = all.filter((field) => nameOf(field).includes(wanted))
  const shown = new Set(found.flatMap(withFieldsAround))
  for (const field of all) field.classList.toggle(HIDDEN, !shown.has(field))
  for (const part of document.querySelectorAll('.oct-rest :is(.oct-expandable, .oct-tabs)'))
    part.classList.toggle(HIDDEN, isEmpty(part.querySelectorAll('.oct-field')))
  for (const [heading, fields] of sections()) heading.classList.toggle(HIDDEN, isEmpty(fields))
  const isFinding = wanted !== ''
  const count = input.nextElementSibling
  if (count !== null) count.textContent = isFinding ? `${found.length}/${all.length}` : ''
  if (!isFinding) return
  for (const field of found) openAround(field)
  // The page is shorter now, so the reader may be below all matches.
  const [first] = found
  if (first !== undefined && first.getBoundingClientRect().top < 0) first.scrollIntoView()
}

function nameOf(field: Element): string {
  return field.querySelector('.oct-field-name')?.textContent?.toLowerCase() ?? ''
}

function withFieldsAround(field: Element): readonly Element[] {
  const around = field.parentElement?.closest('.oct-field')
  return around ? [field, ...withFieldsAround(around)] : [field]
}

/** Checks whether all of these fields are hidden. A part without fields is never hidden. */
function isEmpty(fields: ArrayLike<Element>): boolean {
  return fields.length > 0 && Array.from(fields).every((one) => one.classList.contains(HIDDEN))
}

/** Returns the headings of the page, each with the fields up to the next one. */
function sections(): ReadonlyMap<Element, readonly Element[]> {
  const found = new Map<Element, Element[]>()
  let fields: Element[] = []
  for (const part of document.querySelectorAll('.oct-rest :is(h2, .oct-field)')) {
    if (part.matches('.oct-field')) fields.push(part)
    else {
      fields = []
      found.set(part, fields)
    }
  }
  return found
}

/** Opens the levels around a field, but leaves a tab open that shows another match. */
function openAround(field: Element): void {
  const level = field.parentElement?.closest('details, .oct-tab-panel[hidden]')
  if (!level) return
  if (level instanceof HTMLDetailsElement) level.open = true
  // The tab opens its panel: see tabs.ts.
  else if (!level.parentElement?.querySelector(OPEN_MATCH))
    level.dispatchEvent(new Event('beforematch'))
  openAround(level)
}

const OPEN_MATCH = `:scope > .oct-tab-panel:not([hidden]) .oct-field:not(.${HIDDEN})`
