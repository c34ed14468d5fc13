/**
 * The HTML and SVG that a page may contain. Everything else is removed before it reaches a reader.
 */

const words = (list: string): readonly string[] => list.trim().split(/\s+/)

const HTML_TAGS = words(`
  a abbr address article aside audio b bdi bdo big blockquote br button caption center cite code col colgroup
  data datalist dd del details dfn dialog div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6
  header hgroup hr i iframe img input ins kbd label legend li main mark menu meter nav nobr ol optgroup
  option output p picture pre progress q rp rt ruby s samp search section select small source span
  strike strong sub summary sup table tbody td textarea tfoot th thead time tr track tt u ul var video wbr`)

const SVG_TAGS = words(`
  svg circle clipPath defs desc ellipse feBlend feColorMatrix feComposite feDropShadow feFlood
  feGaussianBlur feMerge feMergeNode feMorphology feOffset filter g line linearGradient marker mask path
  pattern polygon polyline radialGradient rect stop symbol text textPath title tspan use`)

const TAGS: ReadonlySet<string> = new Set([...HTML_TAGS, ...SVG_TAGS])
const HTML_TAG_SET: ReadonlySet<string> = new Set(HTML_TAGS)
/**
 * Checks whether a tag is HTML and not SVG. Ids in SVG may repeat, since an image may be shown
 * twice.
 */
export function isHtmlTag(tag: string): boolean {
  return HTML_TAG_SET.has(tag)
}

export const VOID_TAGS: ReadonlySet<string> = new Set(
  words('area base br col embed hr img input link meta param source track wbr'),
)
/** Tags whose content is code, which is dropped together with the tag. */
export const CODE_TAGS: ReadonlySet<string> = new Set(['script'])
/** SVG tags are case-sensitive; HTML tags are not. */
const SVG_BY_LOWER_CASE = new Map(SVG_TAGS.map((tag) => [tag.toLowerCase(), tag]))

/** Returns the tag as spelled in the allow-list; undefined if it is not allowed. */
export function allowedTag(written: string): string | undefined {
  if (TAGS.has(written)) return written
  const lower = written.toLowerCase()
  if (TAGS.has(lower)) return lower
  return SVG_BY_LOWER_CASE.get(lower)
}

const GLOBAL = words(`class id title lang dir role tabindex hidden style translate align valign
  width height itemprop itemscope itemtype spellcheck draggable slot part contenteditable inert popover`)

const SVG_GLOBAL = words(`
  viewBox xmlns fill fill-rule fill-opacity stroke stroke-width stroke-linecap stroke-linejoin
  stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity opacity transform d cx cy r rx ry
  x y x1 y1 x2 y2 dx dy points offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod
  fx fy fr clip-path clip-rule clipPathUnits mask maskUnits maskContentUnits filter filterUnits
  primitiveUnits in in2 result stdDeviation mode values type operator radius flood-color flood-opacity
  color-interpolation-filters preserveAspectRatio patternUnits patternTransform patternContentUnits
  markerWidth markerHeight markerUnits refX refY orient marker-start marker-mid marker-end
  text-anchor dominant-baseline alignment-baseline font-family font-size font-weight font-style
  letter-spacing textLength lengthAdjust startOffset rotate vector-effect shape-rendering paint-order
  text-rendering color focusable version enable-background xml:space mask-type pathLength overflow display visibility
  k1 k2 k3 k4 baseline-shift pointer-events image-rendering color-interpolation zoomAndPan href`)

const OWN: Readonly<Record<string, readonly string[]>> = {
  a: words('href target rel download hreflang type name'),
  audio: words('src controls loop muted preload autoplay crossorigin controlslist'),
  blockquote: ['cite'],
  button: words('type disabled value name'),
  col: ['span'],
  colgroup: ['span'],
  data: ['value'],
  del: words('cite datetime'),
  details: words('open name'),
  dialog: ['open'],
  font: words('color size face'),
  iframe: words('src allow allowfullscreen loading frameborder referrerpolicy scrolling'),
  img: words(`src srcset sizes alt loading decoding fetchpriority referrerpolicy border
    hspace vspace nozoom actions actionsplacement`),
  input: words('type checked disabled placeholder readonly value min max step maxlength size'),
  ins: words('cite datetime'),
  label: ['for'],
  li: ['value'],
  meter: words('value min max low high optimum'),
  ol: words('start type reversed'),
  optgroup: words('label disabled'),
  option: words('value selected disabled label'),
  progress: words('value max'),
  q: ['cite'],
  select: words('disabled multiple size'),
  source: words('src srcset sizes media type'),
  table: words('border cellpadding cellspacing bgcolor'),
  td: words('colspan rowspan headers scope nowrap bgcolor'),
  textarea: words('disabled placeholder readonly rows cols maxlength'),
  th: words('colspan rowspan headers scope abbr nowrap bgcolor'),
  tr: ['bgcolor'],
  time: ['datetime'],
  track: words('src kind srclang label default'),
  ul: ['type'],
  video: words(`src poster controls loop muted autoplay playsinline preload crossorigin controlslist
    disablepictureinpicture nozoom alt`),
}

const GLOBAL_SET = new Set(GLOBAL)
const SVG_TAG_SET = new Set(SVG_TAGS)
const SVG_BY_LOWER = new Map(
  SVG_GLOBAL.map((name) => [name.toLowerCase().replaceAll('-', ''), name]),
)
const OWN_SETS = new Map(Object.entries(OWN).map(([tag, names]) => [tag, new Set(names)]))

/** Attributes that React spells differently from HTML. */
const HTML_NAMES: Readonly<Record<string, string>> = {
  classname: 'class',
  htmlfor: 'for',
  'xlink:href': 'href',
}

/** Returns the HTML spelling of an attribute; undefined if the tag may not have the attribute. */
export function allowedAttribute(tag: string, written: string): string | undefined {
  const lower = written.toLowerCase()
  const name = Object.hasOwn(HTML_NAMES, lower) ? (HTML_NAMES[lower] ?? lower) : lower
  if (GLOBAL_SET.has(name) || OWN_SETS.get(tag)?.has(name) === true) return name
  if (/^(?:data|aria)-[a-z\d_.-]+$/.test(name)) return name
  if (!SVG_TAG_SET.has(tag)) return undefined
  return SVG_BY_LOWER.get(name.replaceAll('-', ''))
}

/** Attributes of React or other tools, which mean nothing to browsers. */
const IGNORED_ATTRIBUTES: ReadonlySet<string> = new Set(
  words(`key ref suppresshydrationwarning xmlns:xlink xml:lang zoomable noborder center
    noanchor required pattern autofocus webkitallowfullscreen mozallowfullscreen allowtransparency marginwidth marginheight`),
)

/** Checks whether an attribute is dropped without a diagnostic, such as `type` on video embeds. */
export function isIgnoredAttribute(tag: string, written: string): boolean {
  const lower = written.toLowerCase()
  return IGNORED_ATTRIBUTES.has(lower) || (tag === 'iframe' && lower === 'type')
}

/** Attributes that contain a URL. */
export const LINK_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'cite'])
export const IMAGE_ATTRIBUTES: ReadonlySet<string> = new Set(['src', 'poster'])
