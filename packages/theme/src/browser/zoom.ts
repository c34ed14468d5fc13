/** Shows a picture as large as the window allows. Loaded when a reader first asks for it. */
export function zoom(image: HTMLImageElement, closeLabel: string): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'oct-zoom'
  dialog.ariaLabel = image.alt || closeLabel
  const large = new Image()
  large.src = image.currentSrc || image.src
  large.srcset = image.srcset
  large.sizes = '100vw'
  large.alt = image.alt
  // A drawing without a size of its own would be tiny; it grows to the window.
  large.width = image.naturalWidth
  large.height = image.naturalHeight
  const close = document.createElement('button')
  close.type = 'button'
  close.ariaLabel = closeLabel
  dialog.append(large, close)
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  // The browser keeps the focus inside, closes it on Escape, and gives the focus back.
  dialog.showModal()
}
