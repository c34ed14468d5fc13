/** Runs a task after the next paint, so that visible feedback comes first. */
export function afterPaint(task: () => void): void {
  // The browser paints after the frame's callbacks, so a timer that a callback sets runs after the
  // paint.
  requestAnimationFrame(() => setTimeout(task))
}
