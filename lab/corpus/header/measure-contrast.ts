/** Measures the contrast of text against the pixels behind it. */
import type { Page } from 'playwright-core'

export type HeaderText = {
  readonly what: string
  readonly text: string
  readonly box: { left: number; right: number; top: number; bottom: number }
  readonly ink: string
  readonly alpha: number
  readonly rules: readonly string[]
}

/** Styles that make text invisible, so that a screenshot shows only what is behind it. */
const WITHOUT_TEXT =
  '*,*::before,*::after{-webkit-text-fill-color:transparent!important;text-shadow:none!important;text-decoration-color:transparent!important}octavo-dev{display:none!important}'

/**
 * Returns the contrast of each text. `canvas` is another page without a restrictive content
 * security policy. On an uneven background, the worst tenth of the pixels determines the contrast.
 */
export async function measureContrast(
  page: Page,
  canvas: Page,
  { texts, bottom }: { readonly texts: readonly HeaderText[]; readonly bottom: number },
): Promise<readonly number[]> {
  if (texts.length === 0) return []
  const { width } = page.viewportSize() ?? { width: 0 }
  const picture = await page.screenshot({
    clip: { x: 0, y: 0, width, height: Math.ceil(bottom) },
    style: WITHOUT_TEXT,
    animations: 'disabled',
  })
  const input = JSON.stringify({ picture: picture.toString('base64'), texts })
  return canvas.evaluate(`(${COMPARE})(${input})`)
}

const COMPARE = `async ({ picture, texts }) => {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  pen.drawImage(bitmap, 0, 0)
  const dot = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = (color) => {
    dot.clearRect(0, 0, 1, 1)
    dot.fillStyle = color
    dot.fillRect(0, 0, 1, 1)
    return dot.getImageData(0, 0, 1, 1).data
  }
  const light = (color) => {
    const [red, green, blue] = [...color].slice(0, 3).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  return texts.map(({ box, ink, alpha }) => {
    const [red, green, blue, cover] = rgba(ink)
    const share = (cover / 255) * alpha
    const width = Math.max(1, Math.floor(box.right - box.left))
    const height = Math.max(1, Math.floor(box.bottom - box.top))
    const { data } = pen.getImageData(Math.ceil(box.left), Math.ceil(box.top), width, height)
    const found = []
    for (let at = 0; at < data.length; at += 4 * 7) {
      const ground = [data[at], data[at + 1], data[at + 2]]
      const shown = [red, green, blue].map((part, index) => part * share + ground[index] * (1 - share))
      const [one, other] = [light(shown), light(ground)].sort((a, b) => b - a)
      found.push((one + 0.05) / (other + 0.05))
    }
    found.sort((a, b) => a - b)
    return found[Math.floor(found.length / 10)] ?? 21
  })
}`
