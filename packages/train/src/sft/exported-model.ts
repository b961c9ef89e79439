/** Checks whether a model was exported. */
import { loadModelFolder, type Weights } from '@memagent/engine'

/** Whether the folder has a complete model with exactly these weights. */
export async function isExported(folder: string, weights: Weights): Promise<boolean> {
  try {
    const model = await loadModelFolder(folder)
    // The profile is written last.
    return model.profile !== undefined && isSame(model.weights, weights)
  } catch {
    return false
  }
}

const isSame = (one: Weights, other: Weights): boolean =>
  [...one].every(([name, values]) => bytesOf(values).equals(bytesOf(other.get(name)!)))

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  Buffer.from(buffer, byteOffset, byteLength)
