/** "At most" is rounded up: a cent may not be told as nothing. The last digits of a sum are not counted. */
export const priceBound = (price: number): string => (Math.ceil(100 * price - 1e-6) / 100).toFixed(2)
