/** The props of the built-in components, to distinguish typos from props of other tools. */
import { nearest } from '@octavo/model'
import { ownProperty, type ValueObject } from '../interpreter/value.ts'

const ICON = 'icon iconType iconLibrary'
const FIELD =
  'name path query body header type required deprecated default placeholder hidden id pre post nullable description optional initialValue example'
const CARD = `title ${ICON} color href horizontal img cta arrow type disabled newTab description image`
const CODE = 'language filename title lines wrap nocopy expandable highlight focus dropdown'
const FILE = 'name defaultOpen openable highlight open'

const PROPS: Readonly<Record<string, string>> = {
  Accordion: `title description defaultOpen id ${ICON} summary`,
  Badge: `color size shape stroke disabled ${ICON}`,
  Callout: `${ICON} color title type emoji background`,
  Card: CARD,
  CardGroup: 'cols',
  CodeBlock: `${CODE} ${ICON}`,
  CodeGroup: 'dropdown wrap title filename sync',
  Column: 'span',
  Columns: 'cols',
  Expandable: 'title defaultOpen description type',
  Frame: 'caption hint background',
  Icon: `${ICON} src color size name library`,
  Image: 'src alt darkSrc lightSrc img width height noZoom caption',
  Param: FIELD,
  ParamField: FIELD,
  Parameter: FIELD,
  Prompt: `description actions ${ICON} title`,
  RequestExample: 'dropdown',
  ResponseExample: 'dropdown',
  ResponseField: FIELD,
  Step: `title ${ICON} stepNumber id noAnchor titleSize description subtitle`,
  Steps: 'titleSize',
  Tab: `title id ${ICON}`,
  Tabs: 'defaultTabIndex sync borderBottom',
  Tile: `href title description ${ICON} img`,
  Tooltip: 'tip headline cta href',
  'Tree.File': FILE,
  'Tree.Folder': FILE,
  Update: 'label description tags rss id date title',
  View: `title ${ICON} id`,
  Visibility: 'for',
}

/** Props that every component accepts. */
const GLOBAL = 'children className class style id key ref title alt width height target rel'

const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(PROPS).map(([name, props]) => [name, new Set(props.split(' '))]),
)
const GLOBAL_SET: ReadonlySet<string> = new Set(GLOBAL.split(' '))
/** Shorter names are close to too many others. */
const LENGTH_MIN = 3

/**
 * Returns the prop that the author meant. Undefined for a known prop, one that resembles no known
 * prop, or if the intended prop is also set: other tools have more props, which are not mistakes.
 */
export function findIntendedProp(
  component: string,
  prop: string,
  props: ValueObject,
): string | undefined {
  const known = KNOWN.get(component)
  if (known === undefined || known.has(prop) || GLOBAL_SET.has(prop)) return undefined
  if (prop.length < LENGTH_MIN || /[-:]|^on[A-Z]/.test(prop)) return undefined
  const meant = nearest(prop, known)
  if (meant === undefined || ownProperty(props, meant) !== undefined) return undefined
  return meant
}
