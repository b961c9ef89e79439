/** The function with its result remembered for every object, as long as the object lives. */
export function oncePerItem<Item extends object, Result>(resultOf: (item: Item) => Result) {
  const known = new WeakMap<Item, Result>()
  return (item: Item): Result => {
    if (!known.has(item)) known.set(item, resultOf(item))
    return known.get(item)!
  }
}
