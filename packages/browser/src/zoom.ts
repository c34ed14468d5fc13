/** Shows an image as large as the window allows. Loaded on pages with images. */

/** Makes an image that can be clicked accessible by keyboard. */
export function makeButton(image: HTMLElement, enlarge: string): void {
  image.tabIndex = 0
  image.role = 'button'
  image.ariaHasPopup = 'dialog'
  image.ariaLabel = `${enlarge} ${image.getAttribute('alt') ?? ''}`.trim()
  // An empty `alt` marks the image as decorative, but as a button it needs a name.
  if (image.getAttribute('alt') === '') image.removeAttribute('alt')
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    image.click()
  })
}

export type ZoomLabels = { readonly label: string; readonly closeLabel: string }

/** Enlarges an image, or the drawing before a button. */
export function zoom(control: HTMLElement, closeLabel: string): void {
  const drawing = control.previousElementSibling?.firstElementChild?.cloneNode(true)
  if (control instanceof HTMLImageElement) zoomImage(control, closeLabel)
  else if (drawing instanceof Element)
    showLarge(drawing, { label: control.ariaLabel ?? closeLabel, closeLabel })
}

function zoomImage(image: HTMLImageElement, closeLabel: string): void {
  const large = new Image(image.naturalWidth, image.naturalHeight)
  large.src = image.currentSrc || image.src
  large.srcset = image.srcset
  large.sizes = '100vw'
  large.alt = image.alt
  showLarge(large, { label: image.alt || closeLabel, closeLabel })
}

export function showLarge(picture: Element, { label, closeLabel }: ZoomLabels): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'oct-zoom'
  dialog.ariaLabel = label
  const close = document.createElement('button')
  close.type = 'button'
  close.ariaLabel = closeLabel
  dialog.append(picture, close)
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  // The browser keeps the focus in the dialog, closes it on Escape and then restores the focus.
  dialog.showModal()
}
