/** Every field of an object and of the objects in it, as a path. */
export const fieldPaths = (value: unknown): (string | number)[][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, field]) => {
        const name = Array.isArray(value) ? Number(key) : key
        return [[name], ...fieldPaths(field).map((path) => [name, ...path])]
      })
