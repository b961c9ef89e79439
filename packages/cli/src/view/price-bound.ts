/** An upper bound is rounded up: a cent must not show as nothing. The last digits of a sum are ignored. */
export const priceBound = (price: number): string => (Math.ceil(100 * price - 1e-6) / 100).toFixed(2)
