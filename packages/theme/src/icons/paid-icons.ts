/**
 * Popular icon names that only the paid edition of Font Awesome has, each with a similar free icon.
 * Names that also exist in Lucide or Tabler are not listed.
 */
import { ICON_SETS, type IconSetName } from './icon-set.ts'

type FreeIcon = { readonly set: IconSetName; readonly name: string }

const PAIRS = `
  alarm-exclamation lucide:alarm-clock
  arrow-down-to-bracket lucide:download
  arrow-progress tabler:progress
  arrows-repeat lucide:repeat
  arrows-retweet solid:retweet
  ballot-check lucide:list-checks
  bars-filter lucide:list-filter
  battery-bolt lucide:battery-charging
  bee solid:bug
  book-open-cover solid:book-open
  book-open-lines lucide:book-open-text
  brackets-curly lucide:braces
  brackets-square lucide:brackets
  browsers solid:window-restore
  bullseye-arrow lucide:target
  bullseye-pointer lucide:mouse-pointer-click
  camera-cctv lucide:cctv
  chart-line-down lucide:trending-down
  chart-line-up lucide:trending-up
  chart-mixed lucide:chart-no-axes-combined
  circle-dollar lucide:circle-dollar-sign
  cloud-slash lucide:cloud-off
  code-simple solid:code
  comments-question solid:comments
  diagram-subtask solid:diagram-project
  elephant solid:paw
  face-smiling-hands solid:face-smile
  file-plus-minus lucide:file-diff
  file-xml lucide:file-code
  fire-flame solid:fire-flame-curved
  gauge-simple-low solid:gauge-simple
  gear-code solid:gear
  globe-pointer solid:globe
  globe-stand solid:globe
  grid-2 lucide:layout-grid
  grid-dividers lucide:layout-grid
  hand-horns lucide:hand-metal
  hand-wave lucide:hand
  hexagon-image solid:image
  input-pipe lucide:text-cursor-input
  laptop-mobile solid:laptop
  lightbulb-on solid:lightbulb
  llama solid:paw
  memo lucide:notepad-text
  message-bot lucide:bot-message-square
  message-lines lucide:message-square-text
  message-pen lucide:message-square-text
  message-smile lucide:smile
  microchip-ai solid:microchip
  monitor-waveform lucide:monitor
  page lucide:file
  people solid:user-group
  person-carry-box solid:people-carry-box
  phone-arrow-down-left lucide:phone-incoming
  phone-arrow-right lucide:phone-forwarded
  phone-arrow-up-right lucide:phone-outgoing
  rectangle-code lucide:square-code
  rectangle-history lucide:gallery-vertical-end
  rectangle-terminal lucide:square-terminal
  rocket-launch solid:rocket
  screen-users solid:users-rectangle
  signal-stream solid:tower-broadcast
  snake solid:worm
  solar-system lucide:orbit
  spider-web solid:spider
  spinner-third lucide:loader-circle
  square-question solid:circle-question
  ufo-beam tabler:ufo
  up solid:arrow-up
  user-robot solid:robot
  wave-pulse lucide:activity
  waveform lucide:audio-waveform
  waveform-lines lucide:audio-lines
  wifi-slash lucide:wifi-off
  wrench-simple solid:wrench`

export const PAID_ICONS: ReadonlyMap<string, FreeIcon> = new Map(
  PAIRS.trim()
    .split('\n')
    .map((line) => readPair(line.trim())),
)

function readPair(line: string): readonly [string, FreeIcon] {
  const [paid = '', free = ''] = line.split(' ')
  const set = ICON_SETS.find((one) => free.startsWith(`${one}:`)) ?? 'solid'
  return [paid, { set, name: free.slice(free.indexOf(':') + 1) }]
}
