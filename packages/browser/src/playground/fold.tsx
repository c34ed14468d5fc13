/** A part of the form with a title, which readers can fold. */
import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'

export function Fold(props: {
  readonly title: string
  readonly hint?: string | undefined
  readonly isOpen?: boolean
  /** Whether the focused field is inside. */
  readonly isWanted?: boolean
  readonly children: ComponentChildren
}): JSX.Element {
  const { title, hint, isOpen = true, isWanted = false, children } = props
  const [open, setOpen] = useState(isOpen)
  if (isWanted && !open) setOpen(true)
  return (
    <details
      class="oct-try-fold"
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {title} {hint !== undefined && <span class="oct-try-hint">{hint}</span>}
      </summary>
      {open && <div>{children}</div>}
    </details>
  )
}
