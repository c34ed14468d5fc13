/** Shows an image as large as the window allows. Loaded on pages with images. */

/** Makes a clickable image accessible by keyboard. */
export function makeButton(image: HTMLElement, enlarge: string): void {
  image.tabIndex = 0
  image.role = 'button'
  image.ariaHasPopup = 'dialog'
  image.ariaLabel = `${enlarge} ${image.getAttribute('alt') ?? ''}`.trim()
  // An empty `alt` marks the image as decorative, which it no longer is.
  if (image.getAttribute('alt') === '') image.removeAttribute('alt')
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    image.click()
  })
}

export type ZoomLabels = { readonly label: string; readonly closeLabel: string }

export function zoomImage(image: HTMLImageElement, closeLabel: string): void {
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
  // The browser traps the focus, closes the dialog on Escape and restores the focus.
  dialog.showModal()
}
