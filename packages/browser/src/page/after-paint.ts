/** Runs a task when the reader has seen what the last one did: an answer comes before work. */
export function afterPaint(task: () => void): void {
  // The frame is drawn after its callbacks; a timer of the callback comes after the drawing.
  requestAnimationFrame(() => setTimeout(task))
}
