/** Shows a picture as large as the window allows. Loaded by pages with pictures. */

/** A picture that reacts to a click reacts to the keyboard too. */
export function makeButton(image: HTMLElement, enlarge: string): void {
  image.tabIndex = 0
  image.role = 'button'
  image.ariaHasPopup = 'dialog'
  image.ariaLabel = `${enlarge} ${image.getAttribute('alt') ?? ''}`.trim()
  // An empty text says that there is nothing to notice; now there is.
  if (image.getAttribute('alt') === '') image.removeAttribute('alt')
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    image.click()
  })
}

export type Zoomed = { readonly label: string; readonly closeLabel: string }

export function zoomImage(image: HTMLImageElement, closeLabel: string): void {
  const large = new Image(image.naturalWidth, image.naturalHeight)
  large.src = image.currentSrc || image.src
  large.srcset = image.srcset
  large.sizes = '100vw'
  large.alt = image.alt
  showLarge(large, { label: image.alt || closeLabel, closeLabel })
}

export function showLarge(picture: Element, { label, closeLabel }: Zoomed): void {
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
  // The browser keeps the focus inside, closes it on Escape, and gives the focus back.
  dialog.showModal()
}
