export const plans = [
  { name: 'Window sill', euros: 0 },
  { name: 'Greenhouse', euros: 20 },
]

export const Price = ({ plan }) => (
  <span>
    <strong>{plan.name}</strong>: {plan.euros === 0 ? 'free' : `${plan.euros} € a month`}
  </span>
)
