/** The emoji that authors write as `:name:`, by name. */
export const EMOJI: ReadonlyMap<string, string> = new Map(
  `tada 🎉|rocket 🚀|white_check_mark ✅|heavy_check_mark ✔️|x ❌|negative_squared_cross_mark ❎|warning ⚠️
  |100 💯|smile 😄|smiley 😃|grinning 😀|wink 😉|heart ❤️|question ❓|exclamation ❗|construction 🚧|bulb 💡
  |information_source ℹ️|sparkles ✨|fire 🔥|star ⭐|star2 🌟|zap ⚡|bug 🐛|memo 📝|book 📖|books 📚|lock 🔒|key 🔑
  |gear ⚙️|wrench 🔧|hammer 🔨|package 📦|link 🔗|mag 🔍|eyes 👀|wave 👋|thumbsup 👍|thumbsdown 👎|+1 👍|clap 👏
  |pray 🙏|muscle 💪|point_right 👉|point_left 👈|point_down 👇|raised_hands 🙌|man_raising_hand 🙋‍♂️
  |woman_raising_hand 🙋‍♀️|shrug 🤷|thinking 🤔|see_no_evil 🙈|globe_with_meridians 🌐|earth_americas 🌎|email 📧
  |calendar 📅|hourglass ⌛|stopwatch ⏱️|no_entry ⛔|no_entry_sign 🚫|stop_sign 🛑|rotating_light 🚨|recycle ♻️
  |checkered_flag 🏁|trophy 🏆|gift 🎁|art 🎨|pencil ✏️|pencil2 ✏️|computer 💻|chart_with_upwards_trend 📈|bar_chart 📊
  |arrow_left ⬅️|arrow_right ➡️|arrow_up ⬆️|arrow_down ⬇️|beer 🍺|coffee ☕|snake 🐍|whale 🐳|penguin 🐧|apple 🍎
  |green_circle 🟢|red_circle 🔴|yellow_circle 🟡|large_blue_circle 🔵|ok_hand 👌|boom 💥|seedling 🌱|lipstick 💄`
    .split('|')
    .map((pair) => {
      const [name = '', sign = ''] = pair.trim().split(' ')
      return [name, sign] as const
    }),
)
