/** Tabs with the keys that the pattern of ARIA has: arrows, Home and End. */
import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact'
import { useId } from 'preact/hooks'

export type Tab = {
  readonly name: string
  readonly label: ComponentChildren
}

export function TabList(props: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
  /** Controls at the end of the row. */
  readonly end?: ComponentChildren
  /** The content of the chosen tab. */
  readonly children: ComponentChildren
}): JSX.Element {
  const { label, tabs, chosen, onChoose, end, children } = props
  const id = useId()
  const move = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const { currentTarget, key } = event
    const at = tabs.findIndex(({ name }) => name === chosen)
    const isReversed = currentTarget.matches(':dir(rtl)')
    const forward = isReversed ? -1 : 1
    const targets = new Map([
      ['ArrowLeft', at - forward],
      ['ArrowRight', at + forward],
      ['Home', 0],
      ['End', -1],
    ])
    const to = targets.get(key)
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (tab === undefined) return
    event.preventDefault()
    onChoose(tab.name)
    currentTarget.querySelector<HTMLElement>(`[data-name="${CSS.escape(tab.name)}"]`)?.focus()
  }
  return (
    <>
      <div class="oct-try-tabs">
        <div role="tablist" aria-label={label} onKeyDown={move}>
          {tabs.map(({ name, label: text }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              data-name={name}
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => onChoose(name)}
            >
              {text}
            </button>
          ))}
        </div>
        {end}
      </div>
      <div
        class="oct-try-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen}`}
      >
        {children}
      </div>
    </>
  )
}
