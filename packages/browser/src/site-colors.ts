/** Returns the site's colors in a format that other libraries can parse. */
export function siteColors(isDark: boolean): Readonly<Record<string, string | boolean>> {
  const color = createPicker()
  const text = color('--oct-strong')
  const line = color('--oct-muted')
  const fill = color('--oct-sunken')
  const primary = color('--oct-primary')
  return {
    darkMode: isDark,
    background: color('--oct-page'),
    primaryColor: fill,
    primaryTextColor: text,
    primaryBorderColor: primary,
    secondaryColor: color('--oct-raised'),
    tertiaryColor: color('--oct-page'),
    lineColor: line,
    edgeLabelBackground: color('--oct-page'),
    clusterBkg: color('--oct-page'),
    clusterBorder: color('--oct-line-strong'),
    textColor: text,
    noteBkgColor: fill,
    noteTextColor: text,
    noteBorderColor: color('--oct-line-strong'),
    fontSize: '15px',
  }
}

/**
 * Returns a function that converts a custom property to `#rrggbb`. It paints the color to read it,
 * since the property may use any color space.
 */
function createPicker(): (name: string) => string {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const probe = document.createElement('span')
  document.body.append(probe)
  queueMicrotask(() => probe.remove())
  return (name) => {
    probe.style.color = `var(${name})`
    if (canvas === null) return '#888888'
    canvas.fillStyle = getComputedStyle(probe).color
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
}
