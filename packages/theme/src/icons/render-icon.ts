import { type Html, html, markup } from '../markup/html.ts'
import { isSafeImage, siteHref } from '../markup/safe-address.ts'
import type { WrittenIcon } from './frame-icons.ts'
import { readPicture } from './icon-picture.ts'
import { type IconSprite, nameOf } from './icon-sprite.ts'
import { drawing } from './page-icons.ts'

/** The sprite with the icons around the content, and its URL. */
export type SpriteFile = { readonly url: string; readonly sprite: IconSprite }

/** Renders an icon outside the content: from the sprite, or as a file, drawing or emoji. */
export function renderIcon(
  icon: WrittenIcon | undefined,
  file: SpriteFile | undefined,
): Html | undefined {
  if (icon === undefined || icon === '') return undefined
  const picture = readPicture(nameOf(icon))
  switch (picture?.kind) {
    case 'file':
      return isSafeImage(picture.url)
        ? html`<img class="oct-icon" width="16" height="16" src="${siteHref(picture.url)}" alt="" loading="lazy">`
        : undefined
    case 'drawing':
      return markup(drawing(picture.url, picture.takesColor))
    case 'text':
      return html`<span class="oct-icon oct-emoji" aria-hidden="true">${picture.text}</span>`
    case undefined: {
      const id = file?.sprite.idOf(icon)
      if (file === undefined || id === undefined) return undefined
      return html`<svg class="oct-icon" width="16" height="16" aria-hidden="true"><use href="${file.url}#${id}"/></svg>`
    }
  }
}
