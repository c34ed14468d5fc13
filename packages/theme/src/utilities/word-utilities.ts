/** Utility classes without a value, as in Tailwind CSS 3. */

const PLACES: Readonly<Record<string, string>> = {
  start: 'flex-start',
  end: 'flex-end',
  between: 'space-between',
  around: 'space-around',
  evenly: 'space-evenly',
}

export const WORD_UTILITIES: Readonly<Record<string, string>> = {
  // Utilities for boxes.
  ...each('block inline-block inline flex inline-flex grid inline-grid table contents', (word) => [
    word,
    `display:${word}`,
  ]),
  'flow-root': 'display:flow-root',
  'list-item': 'display:list-item',
  hidden: 'display:none',
  ...each('static fixed absolute relative sticky', (word) => [word, `position:${word}`]),
  visible: 'visibility:visible',
  invisible: 'visibility:hidden',
  isolate: 'isolation:isolate',
  'sr-only':
    'position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border-width:0',
  container: 'width:100%',
  'box-border': 'box-sizing:border-box',
  'box-content': 'box-sizing:content-box',
  ...each('auto hidden visible scroll clip', (word) => [`overflow-${word}`, `overflow:${word}`]),
  ...each('auto hidden visible scroll', (word) => [`overflow-x-${word}`, `overflow-x:${word}`]),
  ...each('auto hidden visible scroll', (word) => [`overflow-y-${word}`, `overflow-y:${word}`]),
  ...each('contain cover fill none scale-down', (word) => [`object-${word}`, `object-fit:${word}`]),
  ...each('top bottom center left right', (word) => [`object-${word}`, `object-position:${word}`]),
  'aspect-video': 'aspect-ratio:16/9',
  'aspect-square': 'aspect-ratio:1',
  'aspect-auto': 'aspect-ratio:auto',
  'float-left': 'float:left',
  'float-right': 'float:right',
  'float-none': 'float:none',
  'clear-both': 'clear:both',

  // Utilities for rows, columns and grids.
  ...each('row row-reverse', (word) => [`flex-${word}`, `flex-direction:${word}`]),
  'flex-col': 'flex-direction:column',
  'flex-col-reverse': 'flex-direction:column-reverse',
  ...each('wrap nowrap wrap-reverse', (word) => [`flex-${word}`, `flex-wrap:${word}`]),
  'flex-1': 'flex:1 1 0%',
  'flex-auto': 'flex:1 1 auto',
  'flex-initial': 'flex:0 1 auto',
  'flex-none': 'flex:none',
  ...both('grow', 'flex-grow', 'flex-grow:1'),
  ...both('grow-0', 'flex-grow-0', 'flex-grow:0'),
  ...both('shrink', 'flex-shrink', 'flex-shrink:1'),
  ...both('shrink-0', 'flex-shrink-0', 'flex-shrink:0'),
  ...places('items', 'align-items', 'start end center baseline stretch'),
  ...places('self', 'align-self', 'auto start end center baseline stretch'),
  ...places('content', 'align-content', 'start end center between around evenly stretch'),
  ...places('justify', 'justify-content', 'start end center between around evenly stretch'),
  ...each('start end center stretch', (word) => [`justify-items-${word}`, `justify-items:${word}`]),
  ...each('auto start end center stretch', (word) => [
    `justify-self-${word}`,
    `justify-self:${word}`,
  ]),
  ...each('start end center stretch', (word) => [`place-items-${word}`, `place-items:${word}`]),
  ...each('start end center', (word) => [`place-content-${word}`, `place-content:${word}`]),
  ...each('row column dense', (word) => [
    `grid-flow-${word === 'column' ? 'col' : word}`,
    `grid-auto-flow:${word}`,
  ]),
  'col-auto': 'grid-column:auto',
  'col-span-full': 'grid-column:1/-1',
  'row-auto': 'grid-row:auto',
  'row-span-full': 'grid-row:1/-1',
  'auto-rows-fr': 'grid-auto-rows:minmax(0,1fr)',
  'auto-cols-fr': 'grid-auto-columns:minmax(0,1fr)',
  'order-first': 'order:-9999',
  'order-last': 'order:9999',
  'order-none': 'order:0',

  // Utilities for text.
  ...each('left center right justify start end', (word) => [`text-${word}`, `text-align:${word}`]),
  ...each('wrap nowrap balance pretty', (word) => [`text-${word}`, `text-wrap:${word}`]),
  'text-ellipsis': 'text-overflow:ellipsis',
  'text-clip': 'text-overflow:clip',
  truncate: 'overflow:hidden;text-overflow:ellipsis;white-space:nowrap',
  ...each('uppercase lowercase capitalize', (word) => [word, `text-transform:${word}`]),
  'normal-case': 'text-transform:none',
  italic: 'font-style:italic',
  'not-italic': 'font-style:normal',
  ...each('underline overline line-through', (word) => [word, `text-decoration-line:${word}`]),
  'no-underline': 'text-decoration-line:none',
  ...each('solid double dotted dashed wavy', (word) => [
    `decoration-${word}`,
    `text-decoration-style:${word}`,
  ]),
  ...each('normal nowrap pre pre-line pre-wrap break-spaces', (word) => [
    `whitespace-${word}`,
    `white-space:${word}`,
  ]),
  'break-normal': 'overflow-wrap:normal;word-break:normal',
  'break-words': 'overflow-wrap:break-word',
  'break-all': 'word-break:break-all',
  'break-keep': 'word-break:keep-all',
  ...each('none disc decimal', (word) => [`list-${word}`, `list-style-type:${word}`]),
  ...each('inside outside', (word) => [`list-${word}`, `list-style-position:${word}`]),
  ...each('baseline top middle bottom text-top text-bottom sub super', (word) => [
    `align-${word}`,
    `vertical-align:${word}`,
  ]),
  'font-sans': 'font-family:var(--oct-font-body)',
  'font-mono': 'font-family:var(--oct-font-code)',
  'font-serif': 'font-family:Georgia,Cambria,"Times New Roman",serif',
  antialiased: '-webkit-font-smoothing:antialiased',
  'tabular-nums': 'font-variant-numeric:tabular-nums',

  // Utilities for backgrounds and borders.
  ...each('cover contain auto', (word) => [`bg-${word}`, `background-size:${word}`]),
  ...each('center top bottom left right', (word) => [`bg-${word}`, `background-position:${word}`]),
  ...each('repeat no-repeat repeat-x repeat-y', (word) => [
    `bg-${word}`,
    `background-repeat:${word}`,
  ]),
  'bg-none': 'background-image:none',
  'bg-fixed': 'background-attachment:fixed',
  'bg-clip-text': '-webkit-background-clip:text;background-clip:text',
  'border-collapse': 'border-collapse:collapse',
  'border-separate': 'border-collapse:separate',
  'outline-none': 'outline:2px solid transparent;outline-offset:2px',

  // Utilities for motion and interaction.
  ...each('pointer default text move wait help grab not-allowed auto none', (word) => [
    `cursor-${word}`,
    `cursor:${word}`,
  ]),
  ...each('none auto', (word) => [`pointer-events-${word}`, `pointer-events:${word}`]),
  ...each('none text all auto', (word) => [`select-${word}`, `user-select:${word}`]),
  'resize-none': 'resize:none',
  'resize-y': 'resize:vertical',
  resize: 'resize:both',
  transition:
    'transition:color 150ms,background-color 150ms,border-color 150ms,opacity 150ms,box-shadow 150ms,transform 150ms,translate 150ms,scale 150ms,rotate 150ms',
  'transition-all': 'transition:all 150ms',
  'transition-colors':
    'transition:color 150ms,background-color 150ms,border-color 150ms,fill 150ms,stroke 150ms',
  'transition-opacity': 'transition:opacity 150ms',
  'transition-shadow': 'transition:box-shadow 150ms',
  'transition-transform': 'transition:transform 150ms,translate 150ms,scale 150ms,rotate 150ms',
  'transition-none': 'transition:none',
  'ease-linear': 'transition-timing-function:linear',
  'ease-in': 'transition-timing-function:ease-in',
  'ease-out': 'transition-timing-function:ease-out',
  'ease-in-out': 'transition-timing-function:ease-in-out',
  grayscale: 'filter:grayscale(1)',
  'grayscale-0': 'filter:none',
  invert: 'filter:invert(1)',
  blur: 'filter:blur(8px)',
  'blur-sm': 'filter:blur(4px)',
  'blur-md': 'filter:blur(12px)',
  'blur-lg': 'filter:blur(16px)',
  'blur-xl': 'filter:blur(24px)',
  'blur-2xl': 'filter:blur(40px)',
  'backdrop-blur': 'backdrop-filter:blur(8px)',
  'backdrop-blur-sm': 'backdrop-filter:blur(4px)',
  'backdrop-blur-md': 'backdrop-filter:blur(12px)',
  'backdrop-blur-lg': 'backdrop-filter:blur(16px)',
}

function each(
  words: string,
  entry: (word: string) => readonly [name: string, css: string],
): Readonly<Record<string, string>> {
  return Object.fromEntries(words.split(' ').map(entry))
}

/** Returns a utility that has a current and an older name. */
function both(name: string, older: string, css: string): Readonly<Record<string, string>> {
  return { [name]: css, [older]: css }
}

function places(prefix: string, property: string, words: string): Readonly<Record<string, string>> {
  return each(words, (word) => [`${prefix}-${word}`, `${property}:${PLACES[word] ?? word}`])
}
