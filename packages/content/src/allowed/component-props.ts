/** The props of the built-in components, to distinguish typos from props of other tools. */
import { correctionOf, nearest } from '@octavo/model'
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
  Hero: 'title text art seed align search',
  'Hero.Action': `href ${ICON}`,
  Icon: `${ICON} src color size name library`,
  Image: 'src alt darkSrc lightSrc img width height noZoom caption',
  LinkList: `title ${ICON}`,
  Param: FIELD,
  ParamField: FIELD,
  Parameter: FIELD,
  Preview: 'title text',
  Prompt: `description actions ${ICON} title`,
  RequestExample: 'dropdown',
  ResponseExample: 'dropdown',
  ResponseField: FIELD,
  Stat: 'value unit label href',
  Step: `title ${ICON} stepNumber id noAnchor titleSize description subtitle`,
  Steps: 'titleSize',
  Tab: `title id ${ICON}`,
  Tabs: 'defaultTabIndex sync borderBottom',
  Tile: `href title description ${ICON} img art`,
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
/** The minimum length of a name to correct: shorter names resemble too many others. */
const LENGTH_MIN = 3

/** The prop that an author meant. `isExact` is true if a fix may insert the name. */
type IntendedProp = { readonly name: string; readonly isExact: boolean }

/**
 * Returns the prop that the author meant; undefined if the prop is known or resembles no known
 * prop. Also undefined if the similar known prop is set too: the unknown prop then belongs to
 * another tool and is not a typo.
 */
export function findIntendedProp(
  component: string,
  prop: string,
  props: ValueObject,
): IntendedProp | undefined {
  const known = KNOWN.get(component)
  if (known === undefined || known.has(prop) || GLOBAL_SET.has(prop)) return undefined
  if (prop.length < LENGTH_MIN || /[-:]|^on[A-Z]/.test(prop)) return undefined
  const meant = nearest(prop, known)
  if (meant === undefined || ownProperty(props, meant) !== undefined) return undefined
  return { name: meant, isExact: correctionOf(prop, known) === meant }
}
